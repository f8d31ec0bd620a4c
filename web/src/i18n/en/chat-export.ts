/** How a conversation is taken along. */
export const exporting = {
  markdown: 'Save as Markdown',
  print: 'Print or save as PDF',
};
