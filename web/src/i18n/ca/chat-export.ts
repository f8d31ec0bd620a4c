/** How a conversation is taken along. */
export const exporting = {
  markdown: 'Desa com a Markdown',
  print: 'Imprimeix o desa com a PDF',
};
