import type { chat as english } from '../en/chat.ts';

export const chat: typeof english = {
  markdown: {
    copy: 'Kopiatu',
    copied: 'Kopiatuta.',
    notCopied: 'Nabigatzaileak ez du kopiatzen utzi.',
    code: 'Kodea',
    table: 'Taula',
    source: (n: number, title: string) => `Iturria ${String(n)}: ${title}`,
  },
};
