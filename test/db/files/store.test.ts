import { Readable } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import type { FileFilter } from '../../../src/core/files.js';
import { describeOnEachFileStore, type FileRoom } from './each-file-store.js';
import { anywhere, bytes, refusal } from './file-place.js';

describeOnEachFileStore('a store of private files', (room) => {
  let place: FileRoom;
  beforeEach(async () => {
    place = await room();
  });
  afterEach(() => place.remove());

  const write = (path: string, text = path) => place.files().write(path, bytes(text));
  const listed = async (filter: FileFilter = {}, limit = 200) =>
    (await place.files().list(filter, { limit })).data.map(({ path }) => path);

  it('lists files by path with size and time, page by page, whatever the folders', async () => {
    const files = ['a/b/c', 'a-b', 'a b', 'a.txt', 'Z', 'é', 'b/a', 'b.c', 'b/c/d/e', '😀/x', 'zz'];
    for (const path of files) await write(path);

    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await place.files().list({}, { limit: 4, cursor });
      pages.push(page.data.map(({ path }) => path));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);

    expect(pages.map((page) => page.length)).to.deep.equal([4, 4, 3]);
    expect(pages.flat()).to.deep.equal([...files].sort((a, b) => (a < b ? -1 : 1)));
    const [first] = (await place.files().list({}, { limit: 1 })).data;
    expect(first).to.include({ path: 'Z', size: 1 });
    expect(first!.updatedAt).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('pages through any folders as sorting all paths would', async () => {
    const name = fc.constantFrom('a', 'b', 'a-', 'a.', 'a b', 'B', 'é');
    const somePaths = fc.uniqueArray(fc.array(name, { minLength: 1, maxLength: 3 }), {
      maxLength: 8,
      selector: (names) => names.join('/'),
    });
    await fc.assert(
      fc.asyncProperty(somePaths, fc.integer({ min: 1, max: 3 }), async (many, limit) => {
        const own = place.store().ofOwner(await place.another());
        for (const names of many) await own.write(names.join('/'), bytes('x')).catch(() => undefined);
        const all = (await own.list({}, { limit: 200 })).data.map(({ path }) => path);
        const paged: string[] = [];
        for (let cursor: string | null | undefined = undefined; cursor !== null;) {
          const page: { data: readonly { path: string }[]; nextCursor: string | null } = await own.list(
            {},
            { limit, cursor },
          );
          paged.push(...page.data.map(({ path }) => path));
          cursor = page.nextCursor;
        }
        expect(paged).to.deep.equal(all);
        expect(all).to.deep.equal([...all].sort((a, b) => (a < b ? -1 : 1)));
      }),
      { numRuns: 12 },
    );
  });

  it('finds files by folder and by part of the path', async () => {
    for (const path of ['notes/A.md', 'notes/deep/b.md', 'notesbook/c.md', 'd.md']) await write(path);

    expect(await listed({ folder: 'notes' })).to.deep.equal(['notes/A.md', 'notes/deep/b.md']);
    expect(await listed({ q: 'a.MD' })).to.deep.equal(['notes/A.md']);
    expect(await listed({ folder: 'missing' })).to.deep.equal([]);
    expect(await listed({ folder: 'd.md' })).to.deep.equal([]);
    expect((await refusal(listed({ folder: '../8' }))).status).to.equal(400);
  });

  it('of an owner who has none is empty, and refuses a cursor it never gave', async () => {
    const other = place.files();
    expect((await other.list({}, { limit: 5 })).data).to.deep.equal([]);
    const nobody = place.store().ofOwner(await place.another());
    expect(await nobody.list({}, { limit: 5 })).to.deep.equal({ data: [], nextCursor: null });
    expect(await nobody.delete('a')).to.equal(false);
    const error = await refusal(
      other.list({}, { limit: 5, cursor: Buffer.from('../x').toString('base64url') }),
    );
    expect([error.status, error.param]).to.deep.equal([400, 'cursor']);
  });

  it('never holds two files, or two folders, whose names differ only in case', async () => {
    await write('Notes/Été.md', 'first');

    const errors = await Promise.all(
      ['notes/Été.md', 'Notes/été.md', 'NOTES/other.md', 'notes', 'Notes/E\u0301TE\u0301.md'].map((path) =>
        refusal(write(path)),
      ),
    );
    await write('Notes/E\u0301te\u0301.md', 'the same file in another spelling');

    expect(errors.map(({ status }) => status)).to.deep.equal([409, 409, 409, 409, 409]);
    expect(await listed()).to.deep.equal(['Notes/Été.md']);
    expect((await refusal(place.files().readBytes('notes/été.md', { maxBytes: 99 }))).status).to.equal(404);
  });

  it('lets exactly one of two twins in that arrive at the same moment', async () => {
    const arrivals = await Promise.allSettled(
      ['a.md', 'A.md', 'a.MD', 'A.MD'].map((path) => place.files().write(path, bytes(path))),
    );

    expect(arrivals.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    expect(await listed()).to.have.length(1);
  });

  it('holds no more than the quota, by whichever way it comes, and counts what is replaced', async () => {
    const files = place.files({ quotaBytes: 100 });
    await files.write('a', new Uint8Array(60));

    const errors = [
      await refusal(files.write('b', new Uint8Array(41))),
      await refusal(files.change('a', () => new Uint8Array(101), anywhere)),
    ];
    await files.write('a', new Uint8Array(100));
    await files.change('a', () => new Uint8Array(10), anywhere);
    await files.write('b', new Uint8Array(90));

    expect(errors.map(({ status }) => status)).to.deep.equal([413, 413]);
    expect((await files.list({}, { limit: 9 })).data.map(({ size }) => size)).to.deep.equal([10, 90]);
    expect(await place.incoming()).to.deep.equal([]);
  });

  it('does not let files that arrive together take more than the quota', async () => {
    const files = place.files({ quotaBytes: 100 });

    await Promise.allSettled(['a', 'b', 'c', 'd'].map((path) => files.write(path, new Uint8Array(40))));

    expect(await listed()).to.have.length(2);
  });

  it('leaves nothing behind of a file that never arrived whole, or was refused its name', async () => {
    const breaking = Readable.from(
      (async function* () {
        yield bytes('half');
        await Promise.reject(new Error('gone'));
      })(),
    );

    const broken = await place
      .files()
      .receive(breaking)
      .catch((error: unknown) => String(error));
    const arrived = await place.files().receive(Readable.from([bytes('whole')]));
    const refused = await refusal(arrived.keep('../x'));
    await (await place.files().receive(Readable.from([bytes('unwanted')]))).discard();

    expect(broken).to.contain('gone');
    expect([arrived.size, refused.status]).to.deep.equal([5, 400]);
    expect(await place.incoming()).to.deep.equal([]);
    expect(await listed()).to.deep.equal([]);
  });

  it('says that the disk is full as such, and leaves nothing behind', async () => {
    const full = Readable.from(
      (async function* () {
        yield bytes('half');
        await Promise.reject(Object.assign(new Error('ENOSPC: /a/path/of/ours'), { code: 'ENOSPC' }));
      })(),
    );

    const error = await refusal(place.files().receive(full));

    expect([error.status, error.code]).to.deep.equal([503, 'storage_unavailable']);
    expect(error.message).not.to.contain('/a/path');
    expect(await place.incoming()).to.deep.equal([]);
  });

  it('deletes a file, and the folder with the last one in it', async () => {
    await write('a/b/c');
    await write('a/d');

    const outcomes = [];
    for (const path of ['a/b/c', 'a/b/c', 'a', 'missing']) outcomes.push(await place.files().delete(path));
    const shown = (await place.files().browse('a', { limit: 9 })).data;

    expect(outcomes).to.deep.equal([true, false, false, false]);
    expect(shown.map(({ path }) => path)).to.deep.equal(['a/d']);
    expect(await listed({ folder: 'a/b' })).to.deep.equal([]);
  });

  it('shows what lies directly in a folder, with what is below counted, page by page', async () => {
    for (const path of ['a', 'b/1', 'b/c/2', 'b-', 'd/3', 'e']) await write(path);

    const seen: unknown[] = [];
    for (let cursor: string | null | undefined = undefined; cursor !== null;) {
      const page: { data: readonly object[]; nextCursor: string | null } = await place
        .files()
        .browse(undefined, { limit: 2, cursor });
      seen.push(page.data.map((one) => ('files' in one ? one : (one as { path: string }).path)));
      cursor = page.nextCursor;
    }

    expect(seen).to.deep.equal([
      ['a', 'b-'],
      [
        { path: 'b', files: 2 },
        { path: 'd', files: 1 },
      ],
      ['e'],
    ]);
  });

  it('refuses to make a folder of a file or a file of a folder, and says which', async () => {
    await write('a');
    await write('b/c');

    const errors = [await refusal(write('a/x/y')), await refusal(write('b'))];

    expect(errors.map(({ status }) => status)).to.deep.equal([409, 409]);
    expect(errors.map(({ message }) => message.split('"')[1])).to.deep.equal(['a/x', 'b']);
  });

  it('gives bytes whole or not at all, and of a text only so much as is wanted', async () => {
    const whole = 'aé€😀'.repeat(100);
    await write('text', whole);
    await write('empty', '');
    await write('bom', '\uFEFFHello');

    for (let maxChars = 1; maxChars <= 12; maxChars++) {
      const { text, cut } = await place.files().read('text', { maxChars });
      expect(whole.startsWith(text), text).to.equal(true);
      expect([text.length >= maxChars - 1, text.length <= maxChars, cut]).to.deep.equal([true, true, true]);
    }
    const read = (path: string, maxChars: number) => place.files().read(path, { maxChars });
    expect(await read('text', whole.length)).to.deep.equal({ text: whole, cut: false });
    expect(await read('bom', 5)).to.deep.equal({ text: 'Hello', cut: false });
    expect(await read('empty', 5)).to.deep.equal({ text: '', cut: false });
    const tooLarge = await refusal(place.files().readBytes('text', { maxBytes: 4 }));
    const missing = await refusal(place.files().readBytes('text/x', { maxBytes: 4 }));
    expect([tooLarge.status, missing.status, missing.message]).to.deep.equal([
      413,
      404,
      'File text/x was not found.',
    ]);
  });

  it('belongs to one owner each', async () => {
    await write('a.txt');
    const other = place.store().ofOwner(await place.another());

    expect((await refusal(other.open('a.txt'))).status).to.equal(404);
    expect(await other.delete('a.txt')).to.equal(false);
    expect(await listed()).to.deep.equal(['a.txt']);
    for (const id of [0, -1, 1.5, NaN]) expect(() => place.store().ofOwner(id)).to.throw(RangeError);
  });

  it('keeps nothing of whoever is gone by then, and says so', async () => {
    const own = place.store().ofOwner(await place.gone());
    const arrived = await own.receive(Readable.from([bytes('one')]));

    const refusals = [await refusal(arrived.keep('a/b')), await refusal(own.write('c', bytes('two')))];

    for (const { status, message } of refusals) {
      expect([status, message]).to.deep.equal([401, 'This account is not there any more.']);
    }
    expect([await place.stored(), await place.incoming()]).to.deep.equal([0, []]);
  });
});
