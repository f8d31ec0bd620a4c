import type { chat as english } from '../en/chat.ts';

export const chat: typeof english = {
  markdown: {
    copy: 'Copiar',
    copied: 'Copiado.',
    notCopied: 'El navegador no ha permitido copiar.',
    code: 'Código',
    table: 'Tabla',
    source: (n: number, title: string) => `Fuente ${String(n)}: ${title}`,
  },
};
