/** Finds many words in a text in one pass, however the words look and however often they occur. */
export interface Occurrences {
  /** Where any of them stands, from left to right; what overlaps or touches is one place. */
  in(text: string): readonly Span[];
}

interface Span {
  readonly from: number;
  readonly to: number;
}

const NONE: readonly Span[] = [];
/** Enough of a word to be rare. */
const HEAD = 12;
/** About five secrets, each in its usual spellings. */
const FEW_HEADS = 48;

export function createOccurrences(words: readonly string[]): Occurrences {
  const mayBeIn = hintOf([...new Set(words.map((word) => word.slice(0, HEAD)))]);
  let automaton: Automaton | undefined;
  return {
    in(text) {
      if (!mayBeIn(text)) return NONE;
      automaton ??= automatonFor(words);
      return spansIn(text, automaton);
    },
  };
}

/** Nearly all texts hold none, and one look by the engine must do for them: at few heads it is quickest one by one. */
function hintOf(heads: readonly string[]): (text: string) => boolean {
  if (heads.length <= FEW_HEADS) return (text) => heads.some((head) => text.includes(head));
  const any = new RegExp(heads.map((head) => head.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('|'));
  return (text) => any.test(text);
}

/** Aho and Corasick's: a tree of the words in which each node knows the longest other beginning that it ends with. */
interface Automaton {
  next(node: number, code: number): number;
  /** How long the longest word is that ends here; 0 for none. */
  readonly lengths: readonly number[];
}

interface Branch {
  readonly from: number;
  readonly code: number;
  readonly to: number;
  readonly depth: number;
}

const CODES = 0x10000;

function automatonFor(words: readonly string[]): Automaton {
  const steps = new Map<number, number>();
  const lengths = [0];
  const branches: Branch[] = [];
  for (const word of words) {
    let node = 0;
    for (let i = 0; i < word.length; i++) {
      const code = word.charCodeAt(i);
      let to = steps.get(node * CODES + code);
      if (to === undefined) {
        to = lengths.push(0) - 1;
        steps.set(node * CODES + code, to);
        branches.push({ from: node, code, to, depth: i });
      }
      node = to;
    }
    lengths[node] = word.length;
  }

  const shorter = new Int32Array(lengths.length);
  const next = (start: number, code: number): number => {
    for (let node = start; ; node = shorter[node] ?? 0) {
      const to = steps.get(node * CODES + code);
      if (to !== undefined || node === 0) return to ?? 0;
    }
  };
  // Those nearer to the root first: the others build on them.
  for (const { from, code, to } of branches.sort((a, b) => a.depth - b.depth)) {
    if (from === 0) continue;
    const end = next(shorter[from] ?? 0, code);
    shorter[to] = end;
    lengths[to] = Math.max(lengths[to] ?? 0, lengths[end] ?? 0);
  }
  return { next, lengths };
}

function spansIn(text: string, { next, lengths }: Automaton): readonly Span[] {
  const spans: Span[] = [];
  let node = 0;
  for (let i = 0; i < text.length; i++) {
    node = next(node, text.charCodeAt(i));
    const length = lengths[node] ?? 0;
    if (length === 0) continue;
    let from = i + 1 - length;
    for (let last = spans.at(-1); last && last.to >= from; last = spans.at(-1)) {
      from = Math.min(from, last.from);
      spans.pop();
    }
    spans.push({ from, to: i + 1 });
  }
  return spans;
}
