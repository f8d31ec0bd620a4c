/** What a provider takes at once. */
export interface BatchLimits {
  readonly mostTexts: number;
  readonly mostChars: number;
}

/** Groups of neighbours, each within the limits; a text that is longer than a group may be has one to itself. */
export function batchesOf(texts: readonly string[], { mostTexts, mostChars }: BatchLimits): string[][] {
  const batches: string[][] = [];
  let chars = Infinity;
  for (const text of texts) {
    const last = batches.at(-1);
    if (!last || last.length >= mostTexts || chars + text.length > mostChars) {
      batches.push([text]);
      chars = text.length;
    } else {
      last.push(text);
      chars += text.length;
    }
  }
  return batches;
}

/** The beginning of a text, without halves of characters. Providers refuse an empty one, so that becomes a blank. */
export function beginningOf(text: string, mostChars: number): string {
  const beginning = Buffer.from(text.slice(0, mostChars)).toString();
  return beginning.trim() === '' ? ' ' : beginning;
}
