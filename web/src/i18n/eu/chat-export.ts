/** How a conversation is taken along. */
export const exporting = {
  markdown: 'Gorde Markdown gisa',
  print: 'Inprimatu edo gorde PDF gisa',
};
