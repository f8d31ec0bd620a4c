const LONGEST = 120;

/** A name from anywhere as one short line: no control characters, so it cannot forge a frame or a log line. */
export function safeLabel(text: string): string {
  return oneLine(text, LONGEST);
}

/** A text from anywhere on one line of at most so many characters, cut with a mark. */
export function oneLine(text: string, longest: number): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/\p{Cs}/gu, '\uFFFD')
    .trim();
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest - 1);
  return `${cut.replace(/\p{Cs}$/u, '')}…`;
}
