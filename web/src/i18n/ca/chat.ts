import type { chat as english } from '../en/chat.ts';

export const chat: typeof english = {
  markdown: {
    copy: 'Copia',
    copied: 'Copiat.',
    notCopied: 'El navegador no ha permès copiar.',
    code: 'Codi',
    table: 'Taula',
    source: (n: number, title: string) => `Font ${String(n)}: ${title}`,
  },
};
