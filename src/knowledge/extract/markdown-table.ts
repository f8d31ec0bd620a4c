/** Rows as a table, the first as its header. Shorter rows are filled up. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return '';
  const [header = [], ...body] = rows;
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => asCell(cells[at] ?? '')).join(' | ')} |`;
  return [line(header), `|${' --- |'.repeat(width)}`, ...body.map(line)].join('\n');
}

function asCell(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replace(/\|/g, '\\|');
}
