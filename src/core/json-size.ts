/** How large a value from outside may be. */
export interface SizeLimits {
  /** Of its JSON, more or less: escapes are not counted. */
  readonly bytes: number;
  /** Keys and items of lists, at all levels together. */
  readonly values: number;
  /** Levels of objects and lists within each other. */
  readonly depth: number;
}

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
