/** How a conversation is taken along. */
export const exporting = {
  markdown: 'Guardar como Markdown',
  print: 'Imprimir o guardar como PDF',
};
