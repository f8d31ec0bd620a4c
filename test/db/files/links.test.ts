import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { FileFilter } from '../../../src/core/files.js';
import { aFilePlace, bytes, type FilePlace } from './file-place.js';

describe('a store of private files on a disk where others make links', () => {
  let place: FilePlace;
  beforeEach(async () => {
    place = await aFilePlace();
  });
  afterEach(() => place.remove());

  const write = (path: string, text = path) => place.files().write(path, bytes(text));
  const onDisk = async (path: string, text = path) => {
    await mkdir(join(place.home, path, '..'), { recursive: true });
    await writeFile(join(place.home, path), text);
  };
  const listed = async (filter: FileFilter = {}, limit = 200) =>
    (await place.files().list(filter, { limit })).data.map(({ path }) => path);

  it('lists nothing through links, nothing that is no file, and nothing without a name of its own', async () => {
    await write('a');
    await symlink(place.outside, join(place.home, 'out'));
    await symlink(join(place.outside, 'secret.txt'), join(place.home, 'link'));
    await onDisk('back\\slash');
    await onDisk('e\u0301');

    expect(await listed()).to.deep.equal(['a']);
    expect(await listed({ folder: 'out' })).to.deep.equal([]);
  });

  it('deletes a file with the folders that are empty then, and nothing else', async () => {
    await write('a/b/c');
    await write('a/d');
    await symlink(join(place.outside, 'secret.txt'), join(place.home, 'link'));
    await symlink(place.outside, join(place.home, 'out'));

    const outcomes = [];
    for (const path of ['a/b/c', 'a/b/c', 'a', 'missing', 'out/secret.txt', 'link'])
      outcomes.push(await place.files().delete(path));

    expect(outcomes).to.deep.equal([true, false, false, false, false, true]);
    expect((await readdir(place.home)).sort()).to.deep.equal(['a', 'out']);
    expect(await readdir(join(place.home, 'a'))).to.deep.equal(['d']);
    expect(await readFile(join(place.outside, 'secret.txt'), 'utf8')).to.equal('secret');
  });
});
