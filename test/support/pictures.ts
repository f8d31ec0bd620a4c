const base64 = (text: string) => Buffer.from(text, 'base64');

/** The smallest pictures of each kind that is shown. */
export const PICTURES = {
  png: base64(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  ),
  gif: base64('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'),
  webp: base64('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA'),
  jpg: Buffer.concat([
    base64('/9j/4AAQSkZJRgABAQEASABIAAD/'),
    Buffer.from([0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xff, 0xd9]),
  ]),
} as const;

export const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

/** A PNG that says it is this large. */
export function pngOf(width: number, height: number): Buffer {
  const bytes = Buffer.from(PICTURES.png);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}
