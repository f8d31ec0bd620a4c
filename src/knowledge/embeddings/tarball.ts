import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

interface TarredFile {
  /** Without the folder that every package is packed in. */
  readonly path: string;
  readonly bytes: Buffer;
}

const BLOCK = 512;
const PLAIN_FILE = /^[0\0]$/;

/** The wanted files of a package as npm packs it, one at a time; what is not wanted is not kept in memory either. */
export async function* filesInTarball(
  file: string,
  isWanted: (path: string) => boolean,
): AsyncGenerator<TarredFile, void> {
  const source = createReader(createReadStream(file).pipe(createGunzip()));
  for (;;) {
    const header = await source.take(BLOCK);
    if (header.length < BLOCK || header.every((byte) => byte === 0)) return;
    const { path, size, isFile } = readHeader(header);
    const padded = Math.ceil(size / BLOCK) * BLOCK;
    if (isFile && isWanted(path)) {
      const bytes = await source.take(padded);
      if (bytes.length < padded) throw new Error('The archive ends in the middle of a file.');
      yield { path, bytes: bytes.subarray(0, size) };
    } else await source.skip(padded);
  }
}

function readHeader(header: Buffer) {
  const text = (from: number, length: number) =>
    header.toString('utf8', from, from + length).replace(/\0.*$/s, '');
  const [name, prefix] = [text(0, 100), text(345, 155)];
  const whole = prefix === '' ? name : `${prefix}/${name}`;
  const size = Number.parseInt(text(124, 12).trim() || '0', 8);
  if (!Number.isSafeInteger(size)) throw new Error('The archive cannot be read.');
  return { path: whole.replace(/^[^/]+\//, ''), size, isFile: PLAIN_FILE.test(text(156, 1) || '\0') };
}

function createReader(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]();
  let left: Buffer = Buffer.alloc(0);

  async function* parts(length: number): AsyncGenerator<Buffer, void> {
    let wanted = length;
    while (wanted > 0) {
      if (left.length === 0) {
        const next = await chunks.next();
        if (next.done) return;
        left = next.value;
      }
      const part = left.subarray(0, wanted);
      left = left.subarray(part.length);
      wanted -= part.length;
      yield part;
    }
  }

  return {
    async take(length: number): Promise<Buffer> {
      const taken: Buffer[] = [];
      for await (const part of parts(length)) taken.push(part);
      return Buffer.concat(taken);
    },
    async skip(length: number): Promise<void> {
      const passed = parts(length);
      while (!(await passed.next()).done);
    },
  };
}
