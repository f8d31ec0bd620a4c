import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { Exchange, Fake } from './ledger-server.js';

/** A repository that a test changes; each file by its path. */
export interface FakeRepository {
  files: ReadonlyMap<string, string | Buffer>;
  /** Asked for as the password of everybody. */
  token?: string;
  /** Whether it can leave files out of what it sends. */
  filters: boolean;
}

interface Stored {
  readonly type: 'commit' | 'tree' | 'blob';
  readonly content: Buffer;
}

const TYPES = { commit: 1, tree: 2, blob: 3 } as const;

/** Smart HTTP in version 2, for one branch `main`. Its ledger is kept by command. */
export const fakeGit = (repository: FakeRepository): Fake => ({
  subjectOf: (_url, body) =>
    /command=([\w-]+)/.exec(typeof body === 'string' ? body : '')?.[1] ?? 'capabilities',
  answer: (exchange) => answer(exchange, repository),
});

const line = (text: string | Buffer) => {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
};
const FLUSH = Buffer.from('0000');

async function answer(exchange: Exchange, repository: FakeRepository): Promise<void> {
  const { req, res, url, body } = exchange;
  const send = (status: number, parts: readonly Buffer[]) =>
    new Promise<void>((sent) => {
      res.writeHead(status, { 'content-type': 'application/x-git' }).end(Buffer.concat(parts), sent);
    });
  const given = Buffer.from(req.headers.authorization?.slice('Basic '.length) ?? '', 'base64').toString();
  if (repository.token !== undefined && given.split(':')[1] !== repository.token) return send(401, []);
  if (!url.pathname.startsWith('/school/notes')) return send(404, []);
  if (url.pathname.endsWith('/info/refs')) {
    const abilities = `fetch=shallow${repository.filters ? ' filter' : ''}\n`;
    const lines = ['version 2\n', 'ls-refs=unborn\n', abilities, 'object-format=sha1\n'].map(line);
    return send(200, [line('# service=git-upload-pack\n'), FLUSH, ...lines, FLUSH]);
  }
  const { head, objects } = objectsOf(repository.files);
  const asked = String(body);
  if (asked.includes('command=ls-refs')) return send(200, [line(`${head} ${refOf(asked)}\n`), FLUSH]);
  const wants = [...asked.matchAll(/want ([0-9a-f]{40})/g)].map((match) => match[1] ?? '');
  const isWanted = (hash: string, { type }: Stored) =>
    wants.includes(head) ? type !== 'blob' || !asked.includes('filter blob:none') : wants.includes(hash);
  const pack = packOf([...objects].filter(([hash, one]) => isWanted(hash, one)).map(([, one]) => one));
  const channels = [];
  for (let at = 0; at < pack.length; at += 1_000)
    channels.push(line(Buffer.concat([Buffer.from([1]), pack.subarray(at, at + 1_000)])));
  return send(200, [line('packfile\n'), ...channels, FLUSH]);
}

/** There is no other branch. */
const refOf = (asked: string) => (asked.includes('ref-prefix HEAD') ? 'HEAD' : 'refs/heads/main');

function objectsOf(files: FakeRepository['files']) {
  const objects = new Map<string, Stored>();
  const keep = (type: Stored['type'], content: Buffer) => {
    const header = `${type} ${String(content.length)}\0`;
    const hash = createHash('sha1').update(header).update(content).digest('hex');
    objects.set(hash, { type, content });
    return hash;
  };
  const tree = (entries: ReadonlyMap<string, string | Buffer>): string => {
    const names = [...new Set([...entries.keys()].map((path) => path.split('/')[0] ?? ''))].sort();
    const parts = names.map((name) => {
      const own = entries.get(name);
      const below = [...entries].filter(([path]) => path.startsWith(`${name}/`));
      const hash =
        own === undefined
          ? tree(new Map(below.map(([path, text]) => [path.slice(name.length + 1), text])))
          : keep('blob', Buffer.from(own));
      return Buffer.concat([
        Buffer.from(`${own === undefined ? '40000' : '100644'} ${name}\0`),
        Buffer.from(hash, 'hex'),
      ]);
    });
    return keep('tree', Buffer.concat(parts));
  };
  const head = keep('commit', Buffer.from(`tree ${tree(files)}\nauthor A <a@b.c> 1 +0000\n\nNotes\n`));
  return { head, objects };
}

export function packOf(objects: readonly Stored[]): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  header.writeUInt32BE(objects.length, 8);
  const parts = objects.map(({ type, content }) =>
    Buffer.concat([sizeOf(TYPES[type], content.length), deflateSync(content)]),
  );
  const body = Buffer.concat([header, ...parts]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

function sizeOf(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)];
  for (let rest = size >> 4; rest > 0; rest >>= 7) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80;
    bytes.push(rest & 0x7f);
  }
  return Buffer.from(bytes);
}
