import { expect } from 'chai';
import type { KnowledgeDocument, Passage } from '../../../src/http/contract/knowledge.js';
import { say } from '../../support/fakes/model-script.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { collectionsOf } from '../support/collection-client.js';
import { anAssistant, rag } from '../support/knowledge-client.js';
import { aPerson, auditOf, type Person, speakingTo } from '../support/users-fixture.js';

const LEAVES = '# Plants\n\n## Leaves\n\nStomata let gases pass through the leaf.\n';
const ROOTS = '\n## Roots\n\nRoots drink watter from the soil, far below every leaf of the plant.\n';

describe('what teachers decide about a collection', function () {
  this.timeout(60_000);
  let world: TestService;
  let teacher: Person;
  let of: ReturnType<typeof collectionsOf>;
  let id: string;
  let document: string;
  before(async () => {
    world = await sharedService();
    teacher = await aPerson(world.service, { config: speakingTo(world.model) });
    of = collectionsOf(world.service, teacher.key);
  });
  beforeEach(async () => {
    ({ id } = await of.make({ is_shared: true }));
    document = (await of.takeIn(id, 'plants.md', LEAVES + ROOTS)).id;
  });
  const change = (path: string, body: object, library = of) =>
    library.send<Passage & { error?: { message: string } }>(`/${id}/documents/${document}${path}`, {
      method: 'PATCH',
      body,
    });
  const found = async (query: string, more: object = {}) =>
    (await of.ask(id, query, more)).json.results.map(({ data }) => data);
  const passages = async (library = of) =>
    (await library.send<{ data: Passage[] }>(`/${id}/documents/${document}/passages`)).json.data;
  const roots = async () => (await passages()).findIndex(({ text }) => text.includes('Roots drink'));

  it('keeps a passage that is off from being found, and has it on record', async () => {
    const n = await roots();
    expect((await found('roots soil')).join()).to.contain('Roots drink');

    const { json } = await change(`/passages/${String(n)}`, { off: true });

    expect(json).to.include({ chunk_index: n, off: true, pinned: false, corrected: false });
    expect(await found('roots soil')).to.deep.equal([]);
    const actions = (await auditOf(world.service, teacher)).map(({ action, resource }) => [action, resource]);
    expect(actions).to.deep.include([
      'change passage',
      `passage ${String(n)} of document ${document} of collection ${id}`,
    ]);
  });

  it('finds and cites what was corrected, says so, and keeps it when the document is read anew', async () => {
    const at = `/passages/${String(await roots())}`;
    const [cited] = (await of.ask(id, 'watter')).json.results as unknown as { url: string }[];

    await change(at, { text: 'Roots drink water from the ground.' });
    await of.send(`/${id}/documents/${document}/reingest`, { body: {} });
    await of.settled(id, document);

    expect(await found('watter soil', { threshold: 0.5 })).to.deep.equal([]);
    const [result] = (await of.ask(id, 'water from the ground')).json.results as unknown as {
      data: string;
      url: string;
      metadata: object;
    }[];
    expect(result?.data).to.equal('Roots drink water from the ground.');
    expect(result?.metadata).to.include({ corrected: true });
    const page = await (await fetch(String(result?.url), { headers: { accept: 'text/html' } })).text();
    expect(page).to.contain('Roots drink water from the ground.').and.contain('Corrected by');
    expect((await fetch(String(cited?.url))).status).to.equal(404);
    const assistant = await anAssistant(world, teacher, {
      steps: [say('From the ground [1].')],
      metadata: { _format_version: 2, tools: [rag([id], { top_k: 1 })] },
    });
    const answer = await assistant.ask('Where do roots drink water from?');
    expect(answer.json.x_bellwether.sources[0]).to.include({ corrected: true, cited: true });
    const reader = collectionsOf(
      world.service,
      (await aPerson(world.service, { organizationId: teacher.organizationId })).key,
    );
    const seen = (await passages(reader)).find(({ corrected }) => corrected);
    expect(seen).not.to.have.property('original');
    expect((await passages()).find(({ corrected }) => corrected)?.original).to.contain('watter');

    const restored = await change(at, { text: null });

    expect(restored.json.text).to.contain('watter');
    expect((await found('watter')).join()).to.contain('Roots drink watter');
  });

  it('brings what is pinned first as long as it fits at all, and no more than a few', async () => {
    const n = await roots();
    expect((await found('leaf stomata gases'))[0]).to.contain('Stomata');

    await change(`/passages/${String(n)}`, { pinned: true });

    expect((await found('leaf stomata gases'))[0]).to.contain('Roots drink');
    expect((await found('leaf stomata gases', { threshold: 0.9 })).join()).not.to.contain('Roots drink');
    expect((await found('gases'))[0]).to.contain('Stomata');
    const long = Array.from({ length: 6 }, (_, i) => `# Part ${String(i)}\n\nAbout number ${String(i)}.`);
    document = (await of.takeIn(id, 'parts.md', long.join('\n\n'))).id;
    const answers = [];
    for (const { chunk_index } of await passages())
      answers.push(await change(`/passages/${String(chunk_index)}`, { pinned: true }));
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 409, 409]);
    expect(answers.at(-1)?.json.error?.message).to.contain('5 pinned passages');
  });

  it('finds nothing of a document that is off, and ends its links meanwhile', async () => {
    const [cited] = (await of.ask(id, 'stomata')).json.results as unknown as { url: string }[];
    const until = new Date(Date.now() + 86_400_000).toISOString();

    const off = (await change('', { off_until: until })).json as unknown as KnowledgeDocument;

    expect(off).to.include({ off: true, off_until: until });
    expect(await found('stomata')).to.deep.equal([]);
    expect((await fetch(String(cited?.url))).status).to.equal(404);
    const on = (await change('', { off: false })).json as unknown as KnowledgeDocument;
    expect(on).to.include({ off: false }).and.not.to.have.property('off_until');
    expect((await found('stomata')).join()).to.contain('Stomata');
    expect((await fetch(String(cited?.url))).status).to.equal(200);
    expect((await change('', { off_until: '2020-01-01T00:00:00Z' })).status).to.equal(400);
  });

  it('looks only in documents with one of the tags, by the query route and by the tool', async () => {
    const other = await of.takeIn(id, 'exam.md', '# Exam\n\nStomata are asked for in the exam.');
    const sent = { documents: [other.id], add: ['  Exam   2026 '] };
    expect((await of.send(`/${id}/tags`, { body: sent })).json).to.deep.equal({ changed: 1 });
    await change('', { tags: ['Course'] });

    expect((await of.send(`/${id}/tags`)).json).to.deep.equal({
      data: [
        { tag: 'course', documents: 1 },
        { tag: 'exam 2026', documents: 1 },
      ],
    });
    expect(await found('stomata', { tags: ['EXAM 2026', 'nothing'] })).to.have.length(1);
    const assistant = await anAssistant(world, teacher, {
      steps: [say('Yes.')],
      metadata: { _format_version: 2, tools: [rag([id], { tags: ['course'] })] },
    });
    await assistant.ask('What are stomata?');
    expect(await assistant.prompt())
      .to.contain('let gases pass')
      .and.not.contain('asked for in the exam');
    const many = Array.from({ length: 11 }, (_, i) => `tag ${String(i)}`);
    expect((await change('', { tags: many })).status).to.equal(400);
  });

  it('refuses what is no decision, and says what is wrong', async () => {
    const answers = await Promise.all([
      change('/passages/0', {}),
      change('/passages/0', { text: '  ' }),
      change('/passages/99', { off: true }),
      change('', { off: false, off_until: '2099-01-01T00:00:00Z' }),
    ]);
    expect(answers.map(({ status }) => status)).to.deep.equal([400, 400, 404, 400]);
  });
});
