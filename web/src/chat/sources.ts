import type { Source } from '../../../src/http/contract/chat.ts';

/** How well a passage fits a question, as coarse as it is worth telling. */
export function strengthOf(similarity: number): 'strong' | 'partial' | 'weak' {
  if (similarity >= 0.6) return 'strong';
  return similarity >= 0.3 ? 'partial' : 'weak';
}

/** Sources as they came, less what is none. */
export function sourcesIn(listed: readonly unknown[]): readonly Source[] {
  return listed.flatMap((each) => {
    const { n, title, url, similarity, corrected, cited } = (each ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof n !== 'number' || typeof title !== 'string') return [];
    return [
      {
        ...{ n, title, cited: cited === true },
        url: typeof url === 'string' ? url : undefined,
        similarity: typeof similarity === 'number' ? similarity : undefined,
        ...(corrected === true ? { corrected } : {}),
      },
    ];
  });
}
