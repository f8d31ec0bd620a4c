import { counted } from './common.ts';

/** The column beside a chat. */
export const conversations = {
  label: 'Your conversations',
  show: 'Show your conversations',
  hide: 'Hide your conversations',
  another: 'Another assistant',
  pinned: 'Pinned',
  recent: 'Recent',
  found: 'Found',
  none: 'What you ask is kept here.',
  inFolder: (n: number) => counted(n, 'conversation', 'conversations'),
  isPinned: 'pinned',
  pin: 'Pin',
  unpin: 'Unpin',
  nowPinned: (title: string) => `“${title}” is pinned.`,
  nowUnpinned: (title: string) => `“${title}” is no longer pinned.`,
  move: 'Move to a folder',
  folder: 'Folder',
  folderHint: 'Choose one of yours, or write the name of a new one. Empty takes it out of its folder.',
  moved: (title: string, folder: string) => `“${title}” is in “${folder}” now.`,
  takenOut: (title: string) => `“${title}” is in no folder now.`,
};

export type ConversationWords = typeof conversations;
