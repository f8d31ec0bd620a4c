import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openInside } from '../../../db/files/open-inside.js';

const READS = 1_500;

/** Swaps a folder for a link that leads out, and back, as fast as it can. */
const SWAPPER = `
  const { renameSync } = require('node:fs');
  process.chdir(process.argv[1]);
  process.stdout.write('ready');
  for (;;) {
    renameSync('home/folder', 'aside'); renameSync('link', 'home/folder');
    renameSync('home/folder', 'link'); renameSync('aside', 'home/folder');
  }
`;

describe('a folder that is swapped for a link all the time', function () {
  this.timeout(60_000);
  let place: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'bellwether-test-'));
    for (const folder of ['home/folder', 'outside']) await mkdir(join(place, folder), { recursive: true });
    await writeFile(join(place, 'home/folder/file'), 'inside');
    await writeFile(join(place, 'outside/file'), 'outside');
    await symlink(join(place, 'outside'), join(place, 'link'));
  });
  after(() => rm(place, { recursive: true, force: true }));

  it('never has a file opened that is outside', async () => {
    const swapper = spawn(process.execPath, ['-e', SWAPPER, place], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(swapper.stdout, 'data');
    const read = new Set<string>();
    try {
      for (let i = 0; i < READS; i++) {
        const opened = await openInside({ home: join(place, 'home'), names: ['folder', 'file'] });
        if (!opened) continue;
        read.add(String(await opened.handle.readFile()));
        await opened.handle.close();
      }
    } finally {
      swapper.kill();
    }

    expect([...read].filter((text) => text !== 'inside')).to.deep.equal([]);
  });
});
