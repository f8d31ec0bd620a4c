/** Text from anywhere as it may be stored: one kind of line end, no NUL, no other control characters, whole characters. */
export function cleanText(text: string): string {
  return (
    text
      .replace(/\r\n?/g, '\n')
      .replace(/\f/g, '\n\n')
      .replace(/[\v\u0085\u2028\u2029]/g, '\n')
      // Soft hyphens say where a word may be cut, and are no part of it.
      .replace(/[^\P{Cc}\n\t]|[\p{Cs}\uFEFF\uFFFE\uFFFF\u00AD]/gu, '')
      .normalize('NFC')
  );
}

/** The same on one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

/** Without blanks at line ends, and with at most one empty line in a row. */
export function tidyLines(text: string): string {
  return text
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');
}

/**
 * Plain text as Markdown that reads the same. A backslash goes before what would begin a heading, underline one, or
 * open a code block, and before nothing else: words are quoted and searched as they stand.
 */
export function escapeBlocks(text: string): string {
  return text.replace(/^( {0,3})(?=#{1,6}(?:[ \t]|$)|={2,}[ \t]*$|-{2,}[ \t]*$|`{3}|~{3})/gm, '$1\\');
}
