import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { readPack } from '../../../src/knowledge/sources/git/pack.js';
import { gitReader } from '../../../src/knowledge/sources/git/repository.js';
import { packOf } from '../../support/fakes/git.js';

const run = promisify(execFile);
const MOST = 1_000_000;
const hasGit = spawnSync('git', ['--version']).status === 0;

describe('a pack of a Git repository', () => {
  const blob = (content: string | Buffer) => ({ type: 'blob', content: Buffer.from(content) }) as const;
  const refusal = async (pack: Buffer, most = MOST) => {
    try {
      await readPack(pack, most);
      return 'read';
    } catch (fault) {
      return (fault as Error).message;
    }
  };

  it('is read object by object, each known by its hash', async () => {
    const objects = await readPack(packOf([blob('hello\n'), blob('')]), MOST);

    expect([...objects].map(([hash, { type, content }]) => [hash, type, content.toString()])).to.deep.equal([
      ['ce013625030ba8dba906f756967f9e9ca394464a', 'blob', 'hello\n'],
      ['e69de29bb2d1d6434b8b29ae775ad8c2e48c5391', 'blob', ''],
    ]);
  });

  it('that unpacks to more than is allowed is not unpacked, also when it says that it is small', async () => {
    const bomb = packOf([blob(Buffer.alloc(10 * MOST))]);
    const lying = Buffer.from(bomb);
    // The size in the first object's header, 4 bits and then 7 each: now eight bytes.
    lying.set([0x38], 12);
    lying.copyWithin(13, 16);

    expect(bomb.length).to.be.lessThan(20_000);
    expect(await refusal(bomb)).to.equal('It is larger than what can be taken.');
    expect(await refusal(lying)).to.equal('The repository sent something that is no Git pack.');
  });

  it('that is cut short, claims too much or is none is refused', async () => {
    const pack = packOf([blob('hello\n'), blob('more')]);
    const many = Buffer.from(pack);
    many.writeUInt32BE(4_000_000_000, 8);

    for (const bad of [pack.subarray(0, 30), Buffer.from('<html>'), Buffer.alloc(0), Buffer.alloc(40)])
      expect(await refusal(bad)).to.equal('The repository sent something that is no Git pack.');
    expect(await refusal(many)).to.equal('It is larger than what can be taken.');
  });
});

/** Git's own server, as a web server would start it (RFC 3875). */
async function serveWithGit(root: string) {
  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const url = new URL(req.url ?? '/', 'http://here');
    const child = spawn('git', ['http-backend'], {
      env: {
        ...process.env,
        ...{ GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1', PATH_INFO: url.pathname },
        ...{ QUERY_STRING: url.search.slice(1), REQUEST_METHOD: req.method },
        CONTENT_TYPE: req.headers['content-type'] ?? '',
        GIT_PROTOCOL: String(req.headers['git-protocol'] ?? ''),
      },
    });
    child.stdin.end(await buffer(req));
    const out = await buffer(child.stdout);
    const end = out.indexOf('\r\n\r\n');
    const status = /^Status: (\d+)/im.exec(out.toString('latin1', 0, end))?.[1] ?? '200';
    res.writeHead(Number(status)).end(out.subarray(end + 4));
  };
  const server = createServer((req, res) => void answer(req, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

(hasGit ? describe : describe.skip)('a repository on Git’s own server', function () {
  this.timeout(60_000);
  let root: string;
  let server: Awaited<ReturnType<typeof serveWithGit>>;
  const git = (...args: string[]) =>
    run('git', ['-C', join(root, 'notes'), '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args]);
  /** So alike that Git keeps them as changes to each other. */
  const long = (n: number) =>
    Array.from({ length: 3_000 }, (_, i) => `Line ${String(i === n ? -1 : i)} of the notes`).join('\n');

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'bellwether-git-'));
    await run('git', ['init', '-q', '-b', 'main', join(root, 'notes')]);
    for (let n = 0; n < 5; n++) await writeFile(join(root, 'notes', `n${String(n)}.md`), long(n));
    await git('add', '.');
    await git('commit', '-qm', 'Notes');
    await git('gc', '-q');
    server = await serveWithGit(root);
  });
  after(async () => {
    server.close();
    await rm(root, { recursive: true, force: true });
  });

  for (const filters of ['true', 'false'])
    it(`is listed and read, with what is kept as changes to something else; partial clones: ${filters}`, async () => {
      await git('config', 'uploadpack.allowFilter', filters);
      const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/notes/.git`;
      const { signal } = new AbortController();
      const reader = gitReader(
        { kind: 'git', url, files: [] },
        { fetch, token: undefined, limitBytes: MOST },
      );

      const { items } = await reader.list(signal);
      const read = [];
      for await (const brought of reader.bring(items, signal))
        if (brought.outcome === 'brought') read.push(await text(brought.bytes as AsyncIterable<Buffer>));

      expect(items.map(({ key }) => key)).to.deep.equal([0, 1, 2, 3, 4].map((n) => `n${String(n)}.md`));
      expect(items[0]?.version).to.equal((await git('rev-parse', 'HEAD:n0.md')).stdout.trim());
      expect(read).to.deep.equal([0, 1, 2, 3, 4].map(long));
    });
});
