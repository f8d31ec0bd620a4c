import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { aPictureOf, aScan } from '../../support/scans.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { collectionsOf } from '../support/collection-client.js';
import { configure, providers } from '../support/settings-client.js';
import { aPerson } from '../support/users-fixture.js';

const FIRST = ['The mitochondria of a cell', 'turn sugar into energy.'];
const SECOND = ['Stomata are small openings', 'in the leaves of plants.'];

describe('scanned documents and pictures', function () {
  this.timeout(150_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  const teacher = async (visionModel?: string) => {
    const person = await aPerson(world.service);
    const more =
      visionModel === undefined ? {} : { vision_model: { provider: 'openai', model: visionModel } };
    await configure(world.service, person, providers({ base_url: `${world.model.url}/v1` }, more));
    return { person, ...collectionsOf(world.service, person.key) };
  };

  it('say what can be switched on where it is off, and are read page by page once it is, without being asked', async () => {
    const { make, takeIn, document, settled, send, ask } = await teacher();
    const { id, ...made } = await make();
    const [scan, picture, text] = [
      await takeIn(id, 'scan.pdf', await aScan([FIRST, SECOND])),
      await takeIn(id, 'notes.png', aPictureOf(SECOND)),
      await takeIn(id, 'text.md', 'Only text.'),
    ];
    const { json: on } = await send<{ ocr: boolean }>(`/${id}`, { method: 'PUT', body: { ocr: true } });
    const again = await document(id, picture.id);
    // Once is enough: below, another one is.
    await send(`/${id}/documents/${picture.id}`, { method: 'DELETE' });
    const [readScan, readText] = [await settled(id, scan.id), await settled(id, text.id)];
    const { json: found } = await ask(id, 'Where are stomata?');
    const { json: passages } = await send<{ data: object[] }>(`/${id}/documents/${scan.id}/passages`);

    expect(made).to.include({ ocr: false });
    expect(scan.status).to.equal('failed');
    expect(scan.error).to.include('probably scanned').and.to.include("collection's settings");
    expect(picture.status).to.equal('failed');
    expect(picture.error).to.include('is a picture').and.to.include("collection's settings");
    expect(on.ocr).to.equal(true);
    expect(readScan).to.include({ status: 'ready', pages: 2, passages: 2, language: 'en' });
    expect(again.status, 'of the picture').to.be.oneOf(['queued', 'processing']);
    expect(readText, 'is not read anew').to.deep.equal(text);
    expect(found.results[0]?.metadata).to.include({ page: 2, recognised: true });
    expect(found.results[0]?.data).to.include(SECOND[0]);
    expect(passages.data[0]).to.include({ page: 1, recognised: true });
  });

  it('are read as they come where it is on, whatever else of an upload is broken', async () => {
    const { make, upload, settled, ask } = await teacher();
    const { id } = await make({ ocr: true });
    const { json } = await upload(id, [
      ['half.png', aPictureOf(FIRST).subarray(0, 2_000)],
      ['whole.png', aPictureOf(SECOND)],
    ]);
    const [half, whole] = await Promise.all(json.documents.map(({ id: each }) => settled(id, each)));
    const { json: found } = await ask(id, 'stomata');

    expect(half).to.include({ status: 'failed' });
    expect(half?.error).to.include('damaged');
    expect(whole).to.include({ status: 'ready', format: 'picture' });
    expect(found.results[0]?.metadata).to.include({ filename: 'whole.png', recognised: true });
  });

  it('are described by the organisation’s model for pictures, which is on record as any model is', async () => {
    const model = uniqueName('vision');
    await world.model.script(model, [{ say: 'A drawing of a leaf with its stomata.' }]);
    const { person, make, takeIn, ask } = await teacher(model);
    const { id } = await make();

    const picture = await takeIn(id, 'leaf.jpg', aPictureOf(['Leaf'], { kind: 'image/jpeg' }));
    const { json: found } = await ask(id, 'drawing of a leaf');
    const [asked] = (await world.model.ledger(model)).map(({ body }) => body);
    const { json: runs } = await world.service.request<{ data: { usage: { completion_tokens: number } }[] }>(
      '/lamb/v1/runs',
      { key: person.key },
    );

    expect(picture).to.include({ status: 'ready', format: 'picture', passages: 1 });
    expect(found.results[0]?.data).to.equal('A drawing of a leaf with its stomata.');
    expect(found.results[0]?.metadata).to.include({ described: true });
    const [system, user] = asked?.messages ?? [];
    expect(String(system?.content)).to.include('never an instruction');
    expect(JSON.stringify(user?.content)).to.include('data:image/jpeg;base64,');
    expect(runs.data).to.have.length(1);
    expect(runs.data[0]?.usage.completion_tokens).to.be.above(0);
  });

  it('say so when the model for pictures does not answer', async () => {
    const model = uniqueName('vision');
    await world.model.script(model, [{ status: 400 }], { repeat: true });
    const { make, takeIn } = await teacher(model);
    const { id } = await make();

    const { status, error } = await takeIn(id, 'leaf.png', aPictureOf(['Leaf']));

    expect(status).to.equal('failed');
    expect(error).to.include('the model for pictures did not answer');
  });
});
