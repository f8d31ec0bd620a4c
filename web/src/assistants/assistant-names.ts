const LONGEST_NAME = 200;

/** Cut where the service would refuse it; the ending says that it is a copy and stays. */
export function nameOfCopy(name: string, copied: (name: string) => string): string {
  const room = LONGEST_NAME - copied('').length;
  // Half of a character is none.
  return copied(
    name
      .slice(0, room)
      .replace(/[\uD800-\uDBFF]$/, '')
      .trim(),
  );
}

/** A name that every file system takes. */
export function bundleFilename(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80);
  return `${plain === '' ? 'assistant' : plain}.json`;
}
