/** What the model takes in one go: every row filled up to the longest. */
export interface TokenBatch {
  readonly rows: number;
  readonly width: number;
  readonly ids: BigInt64Array;
  readonly mask: BigInt64Array;
  readonly types: BigInt64Array;
}

/** Cuts what is longer, but for the token that ends a text. */
export function cutTokens(ids: readonly number[], most: number): readonly number[] {
  return ids.length <= most ? ids : [...ids.slice(0, most - 1), ...ids.slice(-1)];
}

export function tokenBatch(texts: readonly (readonly number[])[]): TokenBatch {
  const rows = texts.length;
  const width = Math.max(1, ...texts.map(({ length }) => length));
  const ids = new BigInt64Array(rows * width);
  const mask = new BigInt64Array(rows * width);
  texts.forEach((tokens, row) => {
    tokens.forEach((token, place) => {
      ids[row * width + place] = BigInt(token);
      mask[row * width + place] = 1n;
    });
  });
  return { rows, width, ids, mask, types: new BigInt64Array(rows * width) };
}

/** The mean of what the model says of each token, leaving out what only fills up. Not of length one. */
export function meanOfTokens(hidden: ArrayLike<number>, { rows, width, mask }: TokenBatch): Float32Array[] {
  const dimensions = hidden.length / (rows * width);
  return Array.from({ length: rows }, (_, row) => {
    const sum = new Float32Array(dimensions);
    for (let place = row * width; place < (row + 1) * width; place += 1) {
      if (mask[place] === 0n) continue;
      for (let i = 0; i < dimensions; i += 1)
        sum[i] = (sum[i] as number) + (hidden[place * dimensions + i] as number);
    }
    return sum;
  });
}

/** What the model says of the first token, which some are trained to speak for the whole. Not of length one. */
export function firstOfTokens(hidden: ArrayLike<number>, { rows, width }: TokenBatch): Float32Array[] {
  const dimensions = hidden.length / (rows * width);
  return Array.from({ length: rows }, (_, row) =>
    Float32Array.from({ length: dimensions }, (_each, i) => hidden[row * width * dimensions + i] as number),
  );
}
