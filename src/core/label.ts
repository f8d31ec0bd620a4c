const LONGEST = 120;

/** A name from anywhere as one short line: no control characters, so it cannot forge a frame or a log line. */
export function safeLabel(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`;
}
