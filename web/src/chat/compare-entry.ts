/** One side of a comparison: an assistant as it is, or as it was. */
export interface Contender {
  readonly assistant: number;
  readonly version?: number | undefined;
}

const WRITTEN = /^([1-9]\d{0,15})(?:@([1-9]\d{0,9}))?$/;

/** As in an address: `7` or `7@3`. */
export function contenderIn(text: string | null | undefined): Contender | undefined {
  const [, assistant, version] = WRITTEN.exec(text ?? '') ?? [];
  if (assistant === undefined) return undefined;
  return { assistant: Number(assistant), version: version === undefined ? undefined : Number(version) };
}

export const inAddress = ({ assistant, version }: Contender): string =>
  version === undefined ? String(assistant) : `${String(assistant)}@${String(version)}`;
