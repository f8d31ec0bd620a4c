export interface PassageVector {
  readonly passageId: number;
  readonly vector: Float32Array;
}

/**
 * The outlines of many vectors: of each only on which side of the middle of them all every number lies, and two numbers
 * that make of these signs a guess at its product with any other. About a twentieth of the vectors themselves.
 */
export interface VectorPage {
  readonly dimensions: number;
  readonly passageIds: Uint32Array;
  /** Two for each: a guess is `question · middle + offset + factor × (question · signs)`. */
  readonly guides: Float32Array;
  /** Empty for a page of few, where a middle would take more room than it is worth. */
  readonly middle: Float32Array;
  /** One bit for each number, the bits of one vector after the other, each vector at a byte of its own. */
  readonly signs: Uint8Array;
  readonly bytes: number;
}

const HEADER_BYTES = 12;
const NUMBER_BYTES = 4;
/** From here on a middle is worth its room. */
const ENOUGH_FOR_A_MIDDLE = 16;

export const signBytes = (dimensions: number): number => Math.ceil(dimensions / 8);

/** Of vectors that all have the same number of dimensions. */
export function packPage(vectors: readonly PassageVector[]): Buffer {
  const dimensions = vectors[0]?.vector.length ?? 0;
  const middle = vectors.length < ENOUGH_FOR_A_MIDDLE ? new Float32Array(0) : middleOf(vectors, dimensions);
  const stride = signBytes(dimensions);
  const signs = new Uint8Array(vectors.length * stride);
  const guides = Float32Array.from(
    vectors.flatMap(({ vector }, row) =>
      outline(vector, middle, signs.subarray(row * stride, (row + 1) * stride)),
    ),
  );
  const header = Uint32Array.of(vectors.length, dimensions, middle.length);
  const ids = Uint32Array.from(vectors, ({ passageId }) => passageId);
  return Buffer.concat([
    Buffer.from(header.buffer),
    Buffer.from(ids.buffer),
    bytesOf(guides),
    bytesOf(middle),
    signs,
  ]);
}

export function openPage(packed: Uint8Array): VectorPage {
  const { buffer } = Uint8Array.from(packed);
  const [count = 0, dimensions = 0, middleLength = 0] = new Uint32Array(
    buffer,
    0,
    HEADER_BYTES / NUMBER_BYTES,
  );
  const guidesAt = HEADER_BYTES + count * NUMBER_BYTES;
  const middleAt = guidesAt + count * 2 * NUMBER_BYTES;
  const signsAt = middleAt + middleLength * NUMBER_BYTES;
  return {
    dimensions,
    passageIds: new Uint32Array(buffer, HEADER_BYTES, count),
    guides: new Float32Array(buffer, guidesAt, count * 2),
    middle: new Float32Array(buffer, middleAt, middleLength),
    signs: new Uint8Array(buffer, signsAt),
    bytes: buffer.byteLength,
  };
}

function middleOf(vectors: readonly PassageVector[], dimensions: number): Float32Array {
  const middle = new Float32Array(dimensions);
  for (const { vector } of vectors)
    for (let i = 0; i < dimensions; i += 1)
      middle[i] = (middle[i] as number) + (vector[i] as number) / vectors.length;
  return middle;
}

/**
 * Writes the signs and returns offset and factor. The factor makes the signs on average what the vector is away from the
 * middle. What the middle itself adds to that is known, and goes into the offset in place of the guess: with models whose
 * vectors all point much the same way it would be most of the error.
 */
function outline(vector: Float32Array, middle: Float32Array, signs: Uint8Array): [number, number] {
  let length = 0;
  let squared = 0;
  let middleBySigns = 0;
  for (let i = 0; i < vector.length; i += 1) {
    const central = middle[i] ?? 0;
    const away = (vector[i] as number) - central;
    if (away >= 0) signs[i >> 3] = (signs[i >> 3] as number) | (1 << (i & 7));
    middleBySigns += away >= 0 ? central : -central;
    length += Math.abs(away);
    squared += away * away;
  }
  const factor = length === 0 ? 0 : squared / length;
  const middleByVector = dotProduct(middle, vector) - dotProduct(middle, middle);
  return [middleByVector - factor * middleBySigns, factor];
}

/** Single floats as they lie in memory, lowest byte first on every machine this runs on. */
export function bytesOf(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** A copy: what a driver brings may lie at any address, and in a block with much else. */
export function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}

export function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
