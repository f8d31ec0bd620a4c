import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { applyPatch } from 'diff';
import { expect } from 'chai';
import type { FileStoreOptions } from '../../../db/files/store.js';
import { PROJECT_ROOT } from '../../support/child-process.js';
import { anywhere, aFilePlace, bytes, type FilePlace, OWNER } from './file-place.js';

const LINES = 500;
const KILLS = 4;
/** Some die within their first patch, some within one after. */
const MOST_PATCHES = 3;
/** How far into a patch, at most. */
const LATEST_DEATH_MS = 20;
const lockTimes = { leaseMs: 250, waitMs: 10_000 };

interface Signed {
  readonly who: string;
  readonly next: string;
  readonly diff: string;
}

describe('several processes on one store', function () {
  this.timeout(60_000);
  let place: FilePlace;
  beforeEach(async () => {
    place = await aFilePlace();
  });
  afterEach(() => place.remove());

  const shared = () => readFile(join(place.home, 'work/shared.txt'), 'utf8');

  it('patch a file as if one after the other: twenty at once leave no trace of each other but the order', async () => {
    await place.files().write('work/shared.txt', bytes('0\nend\n'));

    const said = await Promise.all(
      ['a', 'b'].map(async (name) => {
        const { child, lines } = start(place, 'sign', name, {});
        const [code] = (await once(child, 'close')) as [number];
        expect(code).to.equal(0);
        return lines().slice(1) as Signed[];
      }),
    );

    const inOrder = said.flat().sort((x, y) => Number(x.next) - Number(y.next));
    expect(inOrder.map(({ next }) => next)).to.deep.equal(
      Array.from({ length: 20 }, (_, i) => String(i + 1)),
    );
    const signatures = inOrder.map(({ who }) => who).reverse();
    expect(await shared()).to.equal(['20', ...signatures, 'end', ''].join('\n'));
    // Applied one after the other, what each was told it did leads to the very same file.
    const replayed = inOrder.reduce(
      (text, { diff }) => applyPatch(text, diff) || expect.fail(diff),
      '0\nend\n',
    );
    expect(replayed).to.equal(await shared());
  });

  it('killed in the middle of a patch leave the old file or the new one, and a lock that is soon free', async () => {
    await place.files().write('work/shared.txt', bytes('0\n'.repeat(LINES)));
    let acknowledged = 0;

    for (let kill = 0; kill < KILLS; kill++) {
      const { child, lines } = start(place, 'rewrite', String(LINES), { lockTimes });
      while (lines().length <= kill % (MOST_PATCHES + 1)) await once(child.stdout, 'data');
      await delay(Math.random() * LATEST_DEATH_MS);
      child.kill('SIGKILL');
      await once(child, 'close');

      const last = (lines() as { next?: string }[]).at(-1)?.next;
      acknowledged = Math.max(acknowledged, Number(last ?? 0));
      const text = await shared();
      const number = Number(text.split('\n')[0]);
      expect(text).to.equal(`${String(number)}\n`.repeat(LINES));
      expect(number).to.be.within(acknowledged, acknowledged + 1);
      acknowledged = number;
    }
    const startedAt = performance.now();
    await place.files({ lockTimes }).change('work/shared.txt', () => bytes('after'), anywhere);

    expect(acknowledged).to.be.greaterThan(0);
    expect(performance.now() - startedAt).to.be.lessThan(5_000);
    expect(await shared()).to.equal('after');
    expect(await readdir(place.home)).to.deep.equal(['work']);
    expect(await readdir(join(place.home, 'work'))).to.deep.equal(['shared.txt']);
  });
});

function start(place: FilePlace, mode: string, name: string, options: FileStoreOptions) {
  const facts = [place.folder, String(OWNER), mode, name, JSON.stringify(options)];
  const child: ChildProcessByStdio<null, Readable, null> = spawn(
    process.execPath,
    ['test/db/files/patching-process.mjs', ...facts],
    { cwd: PROJECT_ROOT, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  return {
    child,
    lines: (): unknown[] =>
      said
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as unknown),
  };
}
