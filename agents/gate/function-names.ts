const LONGEST = 64;

/** Names functions so that each is what providers accept and unique within one assistant. */
export function createNamer(): (wanted: string, alternative?: string) => string {
  const taken = new Set<string>();
  return (wanted, alternative) => {
    const name = firstFree([wanted, ...(alternative ? [alternative] : [])].map(acceptable), taken);
    taken.add(name);
    return name;
  };
}

function firstFree(candidates: readonly string[], taken: ReadonlySet<string>): string {
  const free = candidates.find((name) => name !== '' && !taken.has(name));
  if (free !== undefined) return free;
  const base = candidates[0] ?? 'function';
  for (let n = 2; ; n++) {
    const suffix = `_${String(n)}`;
    const name = base.slice(0, LONGEST - suffix.length) + suffix;
    if (!taken.has(name)) return name;
  }
}

const ALREADY = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9-])?$/;

function acceptable(name: string): string {
  if (ALREADY.test(name)) return name;
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, LONGEST);
}
