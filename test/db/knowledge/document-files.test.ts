import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { openBlobs } from '../../../db/blobs/open.js';
import { createDocumentFiles } from '../../../db/knowledge/document-files.js';
import { s3PlaceIn } from '../../../src/core/blobs.js';
import { AppError } from '../../../src/core/errors.js';
import type { DocumentFiles } from '../../../src/core/knowledge/stores.js';
import { S3_CREDENTIALS } from '../../support/fakes/s3.js';
import { type FakeS3, startFakeS3 } from '../../support/s3-server.js';

async function* chunks(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}
const fault = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

for (const where of ['on disk', 'in object storage'] as const)
  describe(`the originals of documents (${where})`, () => {
    let s3: FakeS3 | undefined;
    let parent: string;
    let folder: string;
    let files: DocumentFiles;

    before(async () => {
      if (where === 'in object storage') s3 = await startFakeS3();
    });
    beforeEach(async () => {
      parent = await mkdtemp(join(tmpdir(), 'bellwether-documents-'));
      folder = join(parent, 'made', 'on-demand');
      s3?.state.objects.clear();
      const place = s3 && s3PlaceIn(s3.blobsUrl('d'), { credentials: S3_CREDENTIALS });
      const incoming = join(folder, 'incoming');
      files = createDocumentFiles(openBlobs(place)('documents', { folder, incoming }), incoming);
    });
    afterEach(() => rm(parent, { recursive: true, force: true }));
    after(() => s3?.stop());
    const onDisk = async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name);
    /** What is stored, and what else was left lying about. */
    const everything = async () => [
      ...(await onDisk()),
      ...[...(s3?.state.objects.keys() ?? [])].map((key) => key.replace('d/documents/', '')),
    ];
    const text = async (id: string) => {
      const open = await files.open(id);
      return open && (await buffer(open.bytes())).toString();
    };

    it('are kept byte for byte, with their size and hash, for this account alone', async () => {
      const { id, ...facts } = await files.receive(chunks('first ', 'second'), { maxBytes: 12 });

      expect(facts).to.deep.equal({
        bytes: 12,
        sha256: createHash('sha256').update('first second').digest('hex'),
      });
      expect(await text(id)).to.equal('first second');
      const lent = await files.withFile(id, async (path) => [
        await readFile(path, 'utf8'),
        (await stat(path)).mode & 0o777,
      ]);
      expect(lent).to.deep.equal(['first second', 0o600]);
      expect((await stat(folder)).mode & 0o777).to.equal(0o700);
      expect(await everything()).to.deep.equal([id]);
    });

    it('that are too large are refused as soon as that shows, and leave nothing', async () => {
      let asked = 0;
      async function* endless() {
        for (;;) {
          asked++;
          yield await Promise.resolve(new Uint8Array(1024 * 1024));
        }
      }

      const refused = await fault(files.receive(endless(), { maxBytes: 2.5 * 1024 * 1024 }));

      expect(refused).to.be.instanceOf(AppError).with.property('status', 413);
      expect((refused as AppError).message).to.equal('The file is larger than 2.5 MB.');
      expect(asked).to.equal(3);
      expect(await everything()).to.deep.equal([]);
    });

    it('that break off leave nothing, and whoever sent them hears why', async () => {
      async function* broken() {
        yield await Promise.resolve(Buffer.from('half'));
        throw new Error('The line is dead.');
      }

      const outcome = await fault(files.receive(broken(), { maxBytes: 100 }));

      expect(outcome).to.be.instanceOf(Error).with.property('message', 'The line is dead.');
      expect(await everything()).to.deep.equal([]);
    });

    it('are replaced whole, or stay as they were', async () => {
      const { id } = await files.receive(chunks('before'), { maxBytes: 10 });

      await fault(files.receive(chunks('far too large'), { maxBytes: 10, id }));
      const kept = await text(id);
      const replaced = await files.receive(chunks('after'), { maxBytes: 10, id });

      expect(kept).to.equal('before');
      expect(replaced).to.include({ id, bytes: 5 });
      expect(await text(id)).to.equal('after');
      expect(await everything()).to.deep.equal([id]);
    });

    it('are deleted, however often that is asked', async () => {
      const { id } = await files.receive(chunks('gone'), { maxBytes: 10 });

      await files.delete([id, randomUUID()]);
      await files.delete([id]);

      expect([await text(id), await everything()]).to.deep.equal([undefined, []]);
    });

    it('are reached by ids of documents alone, so that no path leads out of their folder', async () => {
      const tricks = [
        '',
        '.',
        '..',
        '../x',
        'incoming',
        `../${randomUUID()}`,
        `${randomUUID()}/x`,
        `${randomUUID()}\n`,
      ];
      for (const id of tricks) {
        const outcomes = [
          await fault(files.open(id)),
          await fault(files.withFile(id, () => Promise.resolve())),
          await fault(files.receive(chunks('x'), { maxBytes: 10, id })),
          await fault(files.delete([id])),
        ];

        for (const outcome of outcomes) expect(outcome, id).to.have.property('status', 404);
      }
      expect(await readdir(parent)).to.deep.equal([]);
    });

    it('take the place of another in one moment', async () => {
      const { id } = await files.receive(chunks('before'), { maxBytes: 10 });
      const { id: by } = await files.receive(chunks('after'), { maxBytes: 10 });

      await files.replace(id, by);

      expect([await text(id), await text(by), await everything()]).to.deep.equal(['after', undefined, [id]]);
    });

    it('are told by how long they have been there', async () => {
      const { id } = await files.receive(chunks('x'), { maxBytes: 10 });

      expect(await files.idsOlderThan(-60_000)).to.deep.equal([id]);
      expect(await files.idsOlderThan(60_000)).to.deep.equal([]);
    });

    if (where === 'in object storage') {
      it('are refused with 503 while the store is away, and leave nothing; those to be deleted are left to a sweep', async () => {
        const { id } = await files.receive(chunks('x'), { maxBytes: 10 });
        s3!.state.faults = [{ kind: 'unavailable' }];

        const refused = [
          await fault(files.receive(chunks('y'), { maxBytes: 10 })),
          await fault(files.open(id)),
          await fault(files.withFile(id, () => Promise.resolve())),
          await fault(files.replace(id, id)),
          await fault(files.idsOlderThan(0)),
        ];
        await files.delete([id]);
        s3!.state.faults = [];

        for (const error of refused) expect(error).to.include({ status: 503, code: 'storage_unavailable' });
        expect(await everything()).to.deep.equal([id]);
      });
    }
  });
