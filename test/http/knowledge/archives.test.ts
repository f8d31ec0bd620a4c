import { join } from 'node:path';
import { expect } from 'chai';
import { aDocx, aZip } from '../../support/documents.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { collectionsOf, type DocumentRecord } from '../support/collection-client.js';
import { everythingIn } from '../support/file-client.js';
import { refusalOf } from '../support/refusal.js';
import { aPerson } from '../support/users-fixture.js';

describe('an archive among the uploaded files', function () {
  this.timeout(60_000);
  let world: TestService;
  let of: ReturnType<typeof collectionsOf>;
  let id: string;
  before(async () => {
    world = await sharedService();
    of = collectionsOf(world.service, (await aPerson(world.service)).key);
  });
  beforeEach(async () => {
    ({ id } = await of.make());
  });
  const names = async () =>
    (await of.send<{ readonly data: readonly DocumentRecord[] }>(`/${id}/documents`)).json.data
      .map(({ filename }) => filename)
      .sort();
  const filesHere = async () => (await everythingIn(join(world.service.dataDir, 'documents'))).length;

  it('becomes its documents, under the folders they lie in, and what nobody put there is left out', async () => {
    const zip = await aZip({
      'unit-1/notes.md': '# Leaves\n\nStomata let gases pass.',
      'unit-1/marks.csv': 'name,mark\nAne,9',
      'unit-2\\text.txt': 'Roots drink.',
      '__MACOSX/unit-1/._notes.md': 'junk',
      '.git/config': 'junk',
      'unit-1/.DS_Store': 'junk',
    });

    const { status, json } = await of.upload(id, [
      ['course.zip', zip],
      ['beside.txt', 'Beside it.'],
    ]);
    for (const { id: document } of json.documents) await of.settled(id, document);
    const found = await of.ask(id, 'Which stoma lets gas pass?');

    expect(status).to.equal(202);
    expect(json.left_out).to.equal(undefined);
    expect(await names()).to.deep.equal([
      'beside.txt',
      'unit-1/marks.csv',
      'unit-1/notes.md',
      'unit-2/text.txt',
    ]);
    expect(found.json.results[0]?.metadata.filename).to.equal('unit-1/notes.md');
  });

  it('names what it holds that cannot be taken in, and the rest goes on', async () => {
    const zip = await aZip({
      'good.md': 'Good.',
      'virus.exe': 'MZ',
      'more.zip': await aZip({ 'inner.md': 'Inner.' }),
      'blanks.txt': ' '.repeat(3_000_000),
    });

    const { json } = await of.upload(id, [
      ['course.zip', zip],
      ['broken.zip', zip.subarray(0, 100)],
    ]);

    expect(json.documents.map(({ filename }) => filename)).to.deep.equal(['good.md']);
    expect(json.left_out).to.deep.equal([
      {
        filename: 'virus.exe',
        message: '"virus.exe" is not of a kind that can be taken in.',
        code: 'kind_not_taken',
      },
      {
        filename: 'more.zip',
        message: 'Archives within archives are not unpacked. Upload it by itself.',
        code: 'archive_in_archive',
      },
      {
        filename: 'blanks.txt',
        message:
          'The file unpacks to far more than a document holds, so it was not read. Remove large content and save it anew.',
        code: 'unpacks_to_too_much',
      },
      {
        filename: 'broken.zip',
        message:
          'The archive is damaged or incomplete. Open it in the program it was made with, save it anew and upload it again.',
        code: 'damaged',
      },
    ]);
  });

  it('leads nowhere by the names in it', async () => {
    const zip = await aZip({ 'xx/xx/x/notes.md': 'Up.', 'abcdefg/y.md': 'Root.' });
    const escaping = Buffer.from(
      zip
        .toString('latin1')
        .replaceAll('xx/xx/x/notes.md', '../../x/notes.md')
        .replaceAll('abcdefg/y.md', '/etc/C:/y.md'),
      'latin1',
    );

    const { json } = await of.upload(id, [['course.zip', escaping]]);

    expect(json.documents.map(({ filename }) => filename)).to.deep.equal(['x/notes.md', 'etc/y.md']);
  });

  it('sent again adds nothing that is there, and leaves no file of its own', async () => {
    const before = await filesHere();
    const zip = await aZip({ 'a.md': `A ${id}`, 'b.md': `B ${id}` });

    const first = await of.upload(id, [['course.zip', zip]]);
    const again = await of.upload(id, [['course.zip', zip]]);

    expect(first.json.documents.map(({ duplicate }) => duplicate)).to.deep.equal([undefined, undefined]);
    expect(again.json.documents.map(({ duplicate }) => duplicate)).to.deep.equal([true, true]);
    expect(await filesHere()).to.equal(before + 2);
  });

  it('is refused with a reason when nothing of it can be taken in', async () => {
    const before = await filesHere();

    const refused = await of.upload(id, [['course.zip', await aZip({ 'a.exe': 'MZ' })]]);

    expect(refusalOf(refused, 422).message).to.contain('Nothing of the archive could be taken in. a.exe:');
    expect(await filesHere()).to.equal(before);
  });

  it('that is a document itself is read as one', async () => {
    const { json } = await of.upload(id, [['notes.zip', await aDocx('Stomata let gases pass.')]]);
    const [document] = json.documents;

    expect(await of.settled(id, document?.id ?? '')).to.include({ status: 'ready', format: 'docx' });
  });
});
