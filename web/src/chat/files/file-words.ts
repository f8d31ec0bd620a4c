import { chatFiles } from '../../i18n/en/chat-files.ts';
import type { I18n } from '../../i18n/i18n.svelte.ts';
import { pageWords } from '../../i18n/page-words.svelte.ts';

export type FileWords = typeof chatFiles;

export const fileWords = (i18n: I18n) =>
  pageWords(i18n, chatFiles, {
    es: () => import('../../i18n/es/chat-files.ts').then((found) => found.chatFiles),
    ca: () => import('../../i18n/ca/chat-files.ts').then((found) => found.chatFiles),
    eu: () => import('../../i18n/eu/chat-files.ts').then((found) => found.chatFiles),
  });
