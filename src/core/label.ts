const LONGEST = 120;

/** A name from anywhere as one short line: no control characters, so it cannot forge a frame or a log line. */
export function safeLabel(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/\p{Cs}/gu, '\uFFFD')
    .trim();
  if (line.length <= LONGEST) return line;
  const cut = line.slice(0, LONGEST - 1);
  return `${cut.replace(/\p{Cs}$/u, '')}…`;
}
