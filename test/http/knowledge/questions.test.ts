import { expect } from 'chai';
import type {
  TestQuestion,
  TestQuestions,
  TestRun,
  VainQuestion,
} from '../../../src/http/contract/knowledge.js';
import { say } from '../../support/fakes/model-script.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { collectionsOf, until } from '../support/collection-client.js';
import { anAssistant, rag } from '../support/knowledge-client.js';
import { aPerson, type Person, speakingTo } from '../support/users-fixture.js';

const PLANTS = '# Leaves\n\nStomata let gases pass.\n\n# Roots\n\nRoots drink water from the soil.\n';

describe('questions of a collection over HTTP', function () {
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
    document = (await of.takeIn(id, 'plants.md', PLANTS)).id;
  });
  const keep = (question: string, target: object = { chunk_index: 0 }) =>
    of.send<TestQuestion>(`/${id}/questions`, {
      body: { question, targets: [{ document_id: document, ...target }] },
    });
  const questions = async () => (await of.send<TestQuestions>(`/${id}/questions`)).json;
  const runs = async () => (await of.send<{ data: TestRun[] }>(`/${id}/questions/runs`)).json.data;

  it('are asked on request, with a figure, and each has its rank', async () => {
    await keep('What do stomata let pass?');
    await keep('Where do roots drink?', {});
    await keep('Who wrote Hamlet?', {});

    const { status, json } = await of.send<TestRun>(`/${id}/questions/run`, { body: { top_k: 3 } });

    expect(status).to.equal(200);
    expect(json).to.include({ reason: 'request', top_k: 3, asked: 3, found: 2, share: 0.6667, mrr: 0.6667 });
    expect(json).to.deep.include({ newly_found: [], lost: [] });
    const { data, run } = await questions();
    expect(data.map(({ rank }) => rank)).to.deep.equal([1, 1, null]);
    expect(data[0]?.targets[0]).to.include({ filename: 'plants.md', chunk_index: 0, state: 'there' });
    expect(run?.id).to.equal(json.id);
  });

  it('are asked again after a change, and what was lost is named', async () => {
    await keep('What do stomata let pass?');
    await of.send(`/${id}/questions/run`, { body: {} });

    await of.send(`/${id}/documents/${document}/passages/0`, { method: 'PATCH', body: { off: true } });

    const [last] = await until(runs, ([newest]) => newest?.found === 0);
    expect(last).to.include({ reason: 'change', asked: 1 });
    expect(last?.lost.map(({ question }) => question)).to.deep.equal(['What do stomata let pass?']);
    expect((await questions()).data[0]).to.include({ rank: null, rank_before: 1 });
  });

  it('know their passage again after the document was read anew, and tell when it is gone', async () => {
    await keep('What do stomata let pass?');
    await of.send(`/${id}/documents/${document}/reingest`, { body: {} });
    await of.settled(id, document);
    expect((await questions()).data[0]?.targets[0]?.state).to.equal('there');

    await of.send(`/${id}/documents/${document}`, { method: 'DELETE' });

    expect((await questions()).data[0]?.targets[0]).to.include({ state: 'gone', filename: 'plants.md' });
  });

  it('are changed and deleted, and refused when they name what is not there', async () => {
    const { json: made } = await keep('What?');
    const at = `/${id}/questions/${made.id}`;
    const body = { question: 'Where?', targets: [{ document_id: document }] };

    expect((await of.send<TestQuestion>(at, { method: 'PUT', body })).json.question).to.equal('Where?');
    expect((await keep('Why?', { chunk_index: 99 })).status).to.equal(400);
    expect((await keep('')).status).to.equal(400);
    expect((await of.send(at, { method: 'DELETE' })).status).to.equal(204);
    expect((await of.send(at, { method: 'DELETE' })).status).to.equal(404);
  });

  describe('asked in vain', () => {
    const vain = async (library = of) =>
      (await library.send<{ data: VainQuestion[] }>(`/${id}/vain-questions`)).json.data;
    const untilNoted = (count: number) =>
      until(vain, (noted) => noted.reduce((sum, one) => sum + one.count, 0) >= count);

    it('by an assistant are listed once for all spellings, without secrets, and can be dismissed', async () => {
      const assistant = await anAssistant(world, teacher, {
        steps: [say('I do not know.')],
        metadata: { _format_version: 2, tools: [rag([id])] },
      });
      await assistant.ask('What do stomata let pass?');
      await assistant.ask('¿Xylophone zither? ask ada@example.test');
      await assistant.ask('xylophone  ZITHER ask ada@example.test!');

      const noted = await untilNoted(2);

      expect(noted).to.have.length(1);
      expect(noted[0]).to.include({ count: 2 });
      expect(noted[0]?.question)
        .to.match(/xylophone zither/i)
        .and.not.contain('@example');
      expect(noted[0]).to.have.all.keys('id', 'question', 'count', 'last_asked_at');
      const gone = await of.send(`/${id}/vain-questions/${String(noted[0]?.id)}`, { method: 'DELETE' });
      expect(gone.status).to.equal(204);
      expect(await vain()).to.deep.equal([]);
    });

    it('are those of others than whoever looks after it, and of runs, not of previews', async () => {
      const colleague = await aPerson(world.service, { organizationId: teacher.organizationId });
      const theirs = collectionsOf(world.service, colleague.key);
      const { id: assistant } = await anAssistant(world, teacher, {
        steps: [say('I do not know.')],
        metadata: { _format_version: 2, tools: [rag([id])] },
      });
      await of.ask(id, 'quark of the owner');
      await world.service.request(`/lamb/v1/assistants/${String(assistant)}/preview`, {
        ...{ key: teacher.key, body: { messages: [{ role: 'user', content: 'quark of a preview' }] } },
      });
      await theirs.ask(id, 'quark of a colleague');

      const noted = await untilNoted(1);

      expect(noted.map(({ question }) => question)).to.deep.equal(['quark of a colleague']);
      expect((await theirs.send(`/${id}/vain-questions`)).status).to.equal(403);
    });
  });
});
