/** What a picture is by its own bytes. */
export interface PictureFormat {
  readonly mediaType: string;
  readonly extension: string;
}

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

interface Kind extends PictureFormat {
  begins(bytes: Buffer): boolean;
  size(bytes: Buffer): PictureSize | undefined;
}

const LONGEST_SIDE = 10_000;

/** The kinds that are shown: pictures made of dots alone. Whatever can carry a script or a link is not one. */
const KINDS: readonly Kind[] = [
  {
    mediaType: 'image/png',
    extension: 'png',
    begins: (bytes) => bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n',
    size: (bytes) => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }),
  },
  {
    mediaType: 'image/jpeg',
    extension: 'jpg',
    begins: (bytes) => bytes.toString('latin1', 0, 3) === '\xff\xd8\xff',
    size: jpegSize,
  },
  {
    mediaType: 'image/gif',
    extension: 'gif',
    begins: (bytes) => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)),
    size: (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  },
  {
    mediaType: 'image/webp',
    extension: 'webp',
    begins: (bytes) => /^RIFF.{4}WEBPVP8[ LX]$/s.test(bytes.toString('latin1', 0, 16)),
    size: webpSize,
  },
];

/** What a picture is by its own bytes, whatever it is called; undefined when it is none that may be shown. */
export function pictureFormat(bytes: Uint8Array): PictureFormat | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = KINDS.find(({ begins }) => begins(buffer));
  if (!kind || !isSane(sizeOf(kind, buffer))) return undefined;
  return { mediaType: kind.mediaType, extension: kind.extension };
}

/** In dots, as it says itself; undefined when it is none that may be shown, or ends before it says so. */
export function pictureSize(bytes: Buffer): PictureSize | undefined {
  const kind = KINDS.find(({ begins }) => begins(bytes));
  return kind && sizeOf(kind, bytes);
}

function isSane(size: PictureSize | undefined): boolean {
  return size !== undefined && [size.width, size.height].every((side) => side >= 1 && side <= LONGEST_SIDE);
}

function sizeOf({ size }: Kind, bytes: Buffer): PictureSize | undefined {
  try {
    return size(bytes);
  } catch {
    // It ends where its size should stand.
    return undefined;
  }
}

/** Segment by segment up to the one that tells the size. */
function jpegSize(bytes: Buffer): PictureSize | undefined {
  for (let at = 2; bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return undefined;
}

function webpSize(bytes: Buffer): PictureSize {
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind === 'VP8 ') {
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  }
  const packed = bytes.readUInt32LE(21);
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
}
