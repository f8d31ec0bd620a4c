const NAMES: Readonly<Record<string, string>> = {
  docx: 'Word',
  pptx: 'PowerPoint',
  xlsx: 'Excel',
  markdown: 'Markdown',
};

/** What a format is called by those who use it; the rest go by their letters. */
export const formatName = (format: string, words: { readonly picture: string }): string =>
  format === 'picture' ? words.picture : (NAMES[format] ?? format.toUpperCase());
