/** A prompt template, taken apart once. What is put in is never looked at again. */
export type Piece = { readonly text: string } | { readonly placeholder: string };

const PLACEHOLDER = /\{([a-z][a-z0-9_]*)\}/g;

export function parseTemplate(template: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of template.matchAll(PLACEHOLDER)) {
    if (match.index > end) pieces.push({ text: template.slice(end, match.index) });
    pieces.push({ placeholder: match[1] ?? '' });
    end = match.index + match[0].length;
  }
  if (end < template.length) pieces.push({ text: template.slice(end) });
  return pieces;
}

/** `valueOf` gives undefined for a name nobody knows: its braces then stay as the author wrote them. */
export function fillTemplate(
  pieces: readonly Piece[],
  valueOf: (name: string) => string | undefined,
): string {
  return pieces
    .map((piece) => ('text' in piece ? piece.text : (valueOf(piece.placeholder) ?? `{${piece.placeholder}}`)))
    .join('');
}
