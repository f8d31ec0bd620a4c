/** How large a value from outside may be. */
export interface SizeLimits {
  /** Of its JSON, more or less: escapes are not counted. */
  readonly bytes: number;
  /** Keys and items of lists, at all levels together. */
  readonly values: number;
  /** Levels of objects and lists within each other. */
  readonly depth: number;
}

/** Of what people put together by hand or by form: ten times what the largest have. */
export const METADATA_LIMITS: SizeLimits = { bytes: 256 * 1024, values: 5_000, depth: 32 };

export interface SizeFault {
  readonly limit: keyof SizeLimits;
  /** Goes on where something was named: "The metadata …". */
  readonly message: string;
}

/** Undefined when it fits. Stops at the first limit, so that it costs little however large the value is. */
export function faultOfSize(value: unknown, limits: SizeLimits): SizeFault | undefined {
  const left = { bytes: limits.bytes, values: limits.values };
  const open: { readonly item: unknown; readonly depth: number }[] = [{ item: value, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { item, depth } = next;
    left.bytes -= bytesOf(item);
    if (left.bytes < 0) return faultAt('bytes', limits);
    if (typeof item !== 'object' || item === null) continue;
    if (depth >= limits.depth) return faultAt('depth', limits);
    const isList = Array.isArray(item);
    const entries: Iterable<readonly [string | number, unknown]> = isList
      ? item.entries()
      : Object.entries(item);
    for (const [key, inner] of entries) {
      if (--left.values < 0) return faultAt('values', limits);
      left.bytes -= isList ? 1 : Buffer.byteLength(String(key)) + 4;
      open.push({ item: inner, depth: depth + 1 });
    }
  }
  return undefined;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** The same of JSON that is not parsed yet: parsing it may take longer than everything after. Says nothing of bad JSON. */
export function faultOfJson(json: Buffer, limits: SizeLimits): SizeFault | undefined {
  if (json.length > limits.bytes) return faultAt('bytes', limits);
  let [values, depth] = [0, 0];
  for (let i = 0; i < json.length; i++) {
    const byte = json[i] ?? 0;
    if (byte === QUOTE) i = endOfText(json, i);
    else if (OPENING.has(byte)) [values, depth] = [values + 1, depth + 1];
    else if (CLOSING.has(byte)) depth--;
    else if (byte === COMMA) values++;
    if (depth > limits.depth) return faultAt('depth', limits);
    if (values > limits.values) return faultAt('values', limits);
  }
  return undefined;
}

/** Where the text that begins here ends. */
function endOfText(json: Buffer, from: number): number {
  for (let end = json.indexOf(QUOTE, from + 1); end !== -1; end = json.indexOf(QUOTE, end + 1)) {
    let before = end;
    while (json[before - 1] === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return json.length;
}

function bytesOf(item: unknown): number {
  if (typeof item === 'string') return Buffer.byteLength(item) + 2;
  return typeof item === 'object' && item !== null ? 2 : String(item).length;
}

function faultAt(limit: keyof SizeLimits, limits: SizeLimits): SizeFault {
  const most = limits[limit].toLocaleString('en');
  const messages = {
    bytes: `is larger than ${most} bytes`,
    values: `holds more than ${most} keys and values`,
    depth: `nests deeper than ${most} levels`,
  };
  return { limit, message: messages[limit] };
}
