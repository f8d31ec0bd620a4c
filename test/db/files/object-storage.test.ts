import { expect } from 'chai';
import type { Knex } from 'knex';
import { describeOnEachEngine } from '../../support/databases.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { type FakeS3, startFakeS3 } from '../../support/s3-server.js';
import { roomInStorage } from './each-file-store.js';
import { anywhere, bytes, refusal } from './file-place.js';

const HOUR_MS = 3_600_000;

describeOnEachEngine('private files in object storage', (open) => {
  let s3: FakeS3;
  let db: Knex;
  let room: Awaited<ReturnType<typeof roomInStorage>>;
  before(async () => {
    s3 = await startFakeS3();
  });
  beforeEach(async () => {
    s3.state.objects.clear();
    s3.state.faults = [];
    db = await open();
    room = await roomInStorage(db, s3);
  });
  afterEach(() => room.remove());
  after(() => s3.stop());

  const keys = () => [...s3.state.objects.keys()];
  const states = async () => (await db('file_blobs').orderBy('state').pluck('state')) as string[];
  const content = async (path: string) =>
    Buffer.from(await room.files().readBytes(path, { maxBytes: 1_000 })).toString();
  const letTimePass = () =>
    db('file_blobs').update({ changed_at: new Date(Date.now() - 2 * HOUR_MS).toISOString() });

  it('lie below their owner under their hash, and go with the last name', async () => {
    await room.files().write('a', bytes('one'));
    await room.files().write('b', bytes('one'));
    await room.files().write('a', bytes('two'));
    const kept = keys();

    await room.files().delete('a');
    await room.files().delete('b');

    expect(kept).to.have.length(2);
    for (const key of kept) expect(key).to.match(new RegExp(`/files/${String(room.owner)}/[0-9a-f]{64}-`));
    expect(keys()).to.deep.equal([]);
  });

  it('are refused with 503 while the store is away, leave nothing, and work once it is back', async () => {
    await room.files().write('a', bytes('old'));
    for (const kind of ['refuse', 'unavailable', 'denied'] as const) {
      s3.state.faults = [{ kind }];

      const errors = [
        await refusal(room.files().write('b', bytes('new'))),
        await refusal(room.files().readBytes('a', { maxBytes: 9 })),
        await refusal(room.files().open('a')),
        await refusal(room.files().change('a', () => bytes('new'), anywhere)),
      ];

      for (const { status, code, message } of errors) {
        expect([status, code]).to.deep.equal([503, 'storage_unavailable']);
        expect(message).not.to.match(/127\.0\.0\.1|school|AKIA/);
      }
    }
    s3.state.faults = [];

    expect((await room.files().list({}, { limit: 9 })).data.map(({ path }) => path)).to.deep.equal(['a']);
    expect([await room.incoming(), keys()]).to.deep.equal([[], keys().slice(0, 1)]);
    await room.files().change('a', () => bytes('new'), anywhere);
    expect(await content('a')).to.equal('new');
  });

  it('are put again when the answer was lost, and refused when other bytes come back than were stored', async () => {
    s3.state.faults = [{ kind: 'lost', method: 'PUT', times: 1 }];
    await room.files().write('a', bytes('text'));
    const kept = await content('a');
    s3.state.faults = [{ kind: 'wrong', method: 'GET' }];
    const other = await refusal(room.files().readBytes('a', { maxBytes: 9 }));
    s3.state.faults = [{ kind: 'cut', method: 'GET' }];
    const cut = await refusal(room.files().readBytes('a', { maxBytes: 9 }));

    expect([kept, keys().length]).to.deep.equal(['text', 1]);
    expect([other.code, cut.code]).to.deep.equal(['storage_unavailable', 'storage_unavailable']);
  });

  it('deleted while the store is away are gone at once, and their bytes with the next sweep', async () => {
    await room.files().write('a', bytes('secret'));
    s3.state.faults = [{ kind: 'unavailable' }];

    const wasThere = await room.files().delete('a');
    const names = (await room.files().list({}, { limit: 9 })).data;
    await letTimePass();
    const inVain = await room.store().sweep();
    s3.state.faults = [];
    const swept = await room.store().sweep();

    expect([wasThere, names, inVain, swept]).to.deep.equal([true, [], 0, 1]);
    expect([keys(), await states()]).to.deep.equal([[], []]);
  });

  it('of a process that was killed before it could name them are swept in two steps, and nothing that has a name', async () => {
    await room.files().write('a', bytes('kept'));
    await room.files().change('a', () => bytes('changed'), anywhere);
    const key = `${String(room.owner)}/${'0'.repeat(64)}-killed`;
    const left = { owner_id: room.owner, size: 1, state: 'arriving', changed_at: new Date().toISOString() };
    await db('file_blobs').insert({ ...left, key });
    const [other = ''] = keys();
    s3.state.objects.set(`${other.split('/files/')[0]!}/files/${key}`, {
      bytes: Buffer.from('x'),
      modified: new Date(),
    });

    const fresh = await room.store().sweep();
    await letTimePass();
    const first = await room.store().sweep();
    const between = [keys().length, await states()];
    await letTimePass();
    const second = await room.store().sweep();

    expect([fresh, first, second]).to.deep.equal([0, 0, 1]);
    expect(between).to.deep.equal([3, ['doomed', 'named', 'named']]);
    expect([await content('a'), await room.backups('a')]).to.deep.equal(['changed', ['kept']]);
    expect(await states()).to.deep.equal(['named', 'named']);
  });

  it('that were swept while they were still on their way are not named any more', async () => {
    const gate = uniqueName('put');
    s3.state.faults = [{ kind: 'gate', method: 'PUT', gate, times: 1 }];

    const writing = refusal(room.files().write('a', bytes('late')));
    while ((await states()).length === 0) await new Promise(setImmediate);
    await letTimePass();
    await room.store().sweep();
    await s3.release(gate);
    const { status } = await writing;
    await letTimePass();
    await room.store().sweep();

    expect(status).to.equal(409);
    expect((await room.files().list({}, { limit: 9 })).data).to.deep.equal([]);
    expect([keys(), await states()]).to.deep.equal([[], []]);
  });

  it('are not changed by whoever is told to stop while the bytes are on their way', async () => {
    await room.files().write('a', bytes('old'));
    const gate = uniqueName('put');
    const leaving = new AbortController();
    s3.state.faults = [{ kind: 'gate', method: 'PUT', gate, times: 1 }];

    const changing = room
      .files()
      .change('a', () => bytes('new'), { ...anywhere, signal: leaving.signal })
      .then(
        () => 'made',
        () => 'not made',
      );
    while ((await states()).length < 2) await new Promise(setImmediate);
    leaving.abort();
    await s3.release(gate);

    expect(await changing).to.equal('not made');
    expect([await content('a'), await room.backups('a'), keys().length]).to.deep.equal(['old', [], 1]);
  });

  it('of an account that is gone are swept, whatever happened to their names', async () => {
    const gone = await room.another();
    await room.store().ofOwner(gone).write('a', bytes('x'));
    await db('users').where({ id: gone }).delete();

    await room.store().sweep();
    await letTimePass();
    await room.store().sweep();

    expect([keys(), await states()]).to.deep.equal([[], []]);
  });
});
