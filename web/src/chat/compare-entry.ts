/** One side of a comparison: an assistant as it is, or as it was. */
export interface CompareEntry {
  readonly assistant: number;
  readonly version?: number | undefined;
}

const WRITTEN = /^([1-9]\d{0,15})(?:@([1-9]\d{0,9}))?$/;

/** As in an address: `7` or `7@3`. */
export function parseCompareEntry(text: string | null | undefined): CompareEntry | undefined {
  const [, assistant, version] = WRITTEN.exec(text ?? '') ?? [];
  if (assistant === undefined) return undefined;
  return { assistant: Number(assistant), version: version === undefined ? undefined : Number(version) };
}

export const formatCompareEntry = ({ assistant, version }: CompareEntry): string =>
  version === undefined ? String(assistant) : `${String(assistant)}@${String(version)}`;
