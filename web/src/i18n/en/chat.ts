export const chat = {
  markdown: {
    copy: 'Copy',
    copied: 'Copied.',
    notCopied: 'The browser did not allow copying.',
    code: 'Code',
    table: 'Table',
    source: (n: number, title: string) => `Source ${String(n)}: ${title}`,
  },
};
