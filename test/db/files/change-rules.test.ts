import { expect } from 'chai';
import { conflict } from '../../../src/core/errors.js';
import { describeOnEachFileStore, type FileRoom } from './each-file-store.js';
import { anywhere, bytes, refusal } from './file-place.js';

describeOnEachFileStore('a change of a private file', (room) => {
  let place: FileRoom;
  beforeEach(async () => {
    place = await room();
  });
  afterEach(() => place.remove());

  const change = (path: string, text: string, options: object = {}) =>
    place.files().change(path, () => bytes(text), { ...anywhere, ...options });
  const content = async (path: string) =>
    Buffer.from(await place.files().readBytes(path, { maxBytes: 1_000 })).toString();
  const facts = async () => (await place.files().list({}, { limit: 9 })).data;

  it('gives the edit every byte and writes every byte it gives back', async () => {
    const before = Uint8Array.of(0, 0xff, 0x0d, 0x0a, 0xef, 0xbb, 0xbf);
    await place.files().write('a.bin', before);
    let seen: Uint8Array | undefined;

    await place.files().change(
      'a.bin',
      (given) => {
        seen = given;
        return given.toReversed();
      },
      anywhere,
    );

    expect([...seen!]).to.deep.equal([...before]);
    expect([...(await place.files().readBytes('a.bin', { maxBytes: 9 }))]).to.deep.equal([
      ...before.toReversed(),
    ]);
  });

  it('keeps the five newest backups, and none once the file is deleted', async () => {
    await place.files().write('a', bytes('0'));

    for (const next of ['1', '2', '3', '4', '5', '6', '7']) await change('a', next);
    const kept = await place.backups('a');
    await place.files().delete('a');

    expect(kept).to.deep.equal(['2', '3', '4', '5', '6']);
    expect(await place.backups('a')).to.deep.equal([]);
  });

  it('that changes nothing, or is refused by its edit, leaves the very same file and no backup', async () => {
    await place.files().write('a', bytes('same'));
    const before = await facts();

    await change('a', 'same');
    const refuse = () => {
      throw conflict('stale');
    };
    const error = await refusal(place.files().change('a', refuse, anywhere));

    expect(error.status).to.equal(409);
    expect(await facts()).to.deep.equal(before);
    expect(await place.backups('a')).to.deep.equal([]);
    // And the next one finds the lock free.
    await change('a', 'new');
  });

  it('is not made any more once its signal has fired, not even in the middle', async () => {
    await place.files().write('a', bytes('old'));
    const leaving = new AbortController();
    const edit = () => {
      leaving.abort();
      return bytes('new');
    };

    const outcome = await place
      .files()
      .change('a', edit, { ...anywhere, signal: leaving.signal })
      .then(
        () => 'made',
        () => 'not made',
      );

    expect(outcome).to.equal('not made');
    expect(await content('a')).to.equal('old');
    expect(await place.backups('a')).to.deep.equal([]);
    expect(await place.incoming()).to.deep.equal([]);
  });

  it('stays within its folder, and finds nothing that is missing or a folder', async () => {
    await place.files().write('work/a', bytes('a'));
    await place.files().write('workshop/a', bytes('b'));
    const tries: [string, string][] = [
      ['workshop/a', 'work'],
      ['work/a', 'missing'],
      ['work', 'work'],
      ['work', '.'],
      ['work/a/b', '.'],
      ['missing', '.'],
    ];

    for (const [path, within] of tries) {
      const { status, message } = await refusal(change(path, 'x', { within }));
      expect([status, message], path).to.deep.equal([404, `File ${path} was not found.`]);
    }
    await change('work/a', 'changed', { within: 'work' });

    expect([await content('work/a'), await content('workshop/a')]).to.deep.equal(['changed', 'b']);
    expect((await refusal(change('work/a', 'x', { within: '../7/work' }))).status).to.equal(400);
    expect((await refusal(change('work/a', 'x', { maxBytes: 3 }))).status).to.equal(413);
  });

  it('of many at once comes after the other, so that none is lost', async () => {
    await place.files().write('count', bytes('0'));
    const add = (given: Uint8Array) => bytes(String(Number(Buffer.from(given).toString()) + 1));

    await Promise.all(Array.from({ length: 6 }, () => place.files().change('count', add, anywhere)));

    expect(await content('count')).to.equal('6');
  });
});
