import { randomInt, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, say } from '../../support/fakes/model-script.js';
import { type FakeKbServer, result, startFakeKbServer } from '../../support/kb-server.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { collectionsOf } from '../support/collection-client.js';
import { aKnowledgePerson, anAssistant, KB_TOKEN, rag } from '../support/knowledge-client.js';
import { aColleagueOf, aPerson, inDatabase, type Person } from '../support/users-fixture.js';

interface Registered {
  readonly id: string;
  readonly name: string;
  readonly external_id: string;
  readonly place: string;
  readonly is_shared: boolean;
}
interface Refusal {
  readonly error: { readonly message: string; readonly code: string };
}
interface Step {
  readonly tool?: string;
  readonly ok: boolean;
  readonly facts?: { readonly [fact in 'collections' | 'failed' | 'refused']?: readonly string[] };
}

/** A number that no other test has on any server. */
const aNumber = () => String(randomInt(1_000_000, 2 ** 40));

describe('a collection on a knowledge base server', () => {
  let world: TestService;
  let kb: FakeKbServer;
  before(async () => {
    world = await sharedService();
    kb = await startFakeKbServer();
  });
  after(() => kb.stop());

  const registering = ({ key }: Person, body: object) =>
    world.service.request<Registered & Refusal>('/lamb/v1/collections', { key, body });
  const save = ({ key }: Person, collections: readonly unknown[]) =>
    world.service.request<Refusal>('/lamb/v1/assistants', {
      key,
      body: {
        name: uniqueName('a'),
        metadata: { _format_version: 2, connector: 'demo', tools: [rag(collections as string[])] },
      },
    });
  const stepOf = async ({ key }: Person, headers: Headers) => {
    const run = await world.service.request<{ steps: Step[] }>(
      `/lamb/v1/runs/${String(headers.get('x-run-id'))}`,
      { key },
    );
    return run.json.steps.find(({ tool }) => tool === 'simple_rag');
  };

  /** A teacher and an administrator of an organisation that has a server. */
  async function aSchool() {
    const admin = await aPerson(world.service, { role: 'org_admin' });
    const teacher = await aKnowledgePerson(world, kb, { organizationId: admin.organizationId });
    return { admin, teacher };
  }

  /** What an author wrote before anybody checked it, or past every check. */
  async function smuggled(person: Person, collections: readonly unknown[], more: object = {}) {
    const assistant = await anAssistant(world, person, {
      steps: [say('ok')],
      metadata: { _format_version: 2, tools: [] },
    });
    const tools = [rag(collections as string[], {}, more)];
    const metadata = { _format_version: 2, connector: 'openai', llm: assistant.llm, tools };
    await inDatabase(world.service, (_stores, db) =>
      db('assistants')
        .where({ id: assistant.id })
        .update({ metadata: JSON.stringify(metadata) }),
    );
    return assistant;
  }

  it('is registered by an administrator, and used by whoever it is shared with', async () => {
    const { admin, teacher } = await aSchool();
    const number = aNumber();
    await kb.treat(number, { results: [result('Cells divide.')] });

    const made = await registering(admin, { name: 'Biology 101', external_id: number });
    const before = await save(teacher, [number]);
    await world.service.request(`/lamb/v1/collections/${made.json.id}`, {
      ...{ key: admin.key, method: 'PUT', body: { is_shared: true } },
    });

    expect(made.status, made.text).to.equal(201);
    expect(made.json).to.include({ name: 'Biology 101', external_id: number, place: 'server' });
    expect(before.status).to.equal(422);
    for (const reference of [number, made.json.id]) {
      const assistant = await anAssistant(world, teacher, {
        steps: [say('ok')],
        metadata: { _format_version: 2, tools: [rag([reference])] },
      });
      await assistant.ask('How do cells grow?');
      expect(await assistant.prompt()).to.contain('Cells divide.');
    }
    const rows = await kb.ledger(number);
    expect(rows.map(({ path }) => path)).to.deep.equal(Array(2).fill(`/collections/${number}/query`));
  });

  it('is asked for once when it is named by both of its ids', async () => {
    const { admin } = await aSchool();
    const number = aNumber();
    await kb.treat(number, { results: [result('Cells divide.')] });
    const { json } = await registering(admin, { name: 'Biology 101', external_id: number });
    const assistant = await anAssistant(world, admin, {
      steps: [say('ok')],
      metadata: { _format_version: 2, tools: [rag([number, json.id])] },
    });

    await assistant.ask('Cells?');

    expect(await kb.ledger(number)).to.have.length(1);
  });

  it('is registered by nobody else', async () => {
    const { teacher } = await aSchool();
    const student = await aColleagueOf(world.service, teacher, 'student');

    for (const person of [teacher, student]) {
      const { status, json } = await registering(person, { name: 'x', external_id: '7' });
      expect(status).to.equal(403);
      expect(json.error.code).to.equal('forbidden');
    }
  });

  for (const odd of [
    '07',
    '+7',
    '007',
    ' 7',
    '7 ',
    '-7',
    '0',
    '7.0',
    '7/../8',
    '..%2f8',
    '',
    'seven',
    'A'.repeat(8),
  ])
    it(`is not registered under ${JSON.stringify(odd)}`, async () => {
      const { admin } = await aSchool();
      const { status, json } = await registering(admin, { name: 'x', external_id: odd });
      expect(status).to.equal(400);
      expect(json.error.message).to.contain('external_id');
    });

  it('is registered once in an organisation, and by each that has one of the same number', async () => {
    const [one, two] = [await aSchool(), await aSchool()];
    const number = aNumber();

    const first = await registering(one.admin, { name: 'Ours', external_id: number });
    const again = await registering(one.admin, { name: 'Ours', external_id: number });
    const theirs = await registering(two.admin, { name: 'Theirs', external_id: number });

    expect([first.status, again.status, theirs.status]).to.deep.equal([201, 409, 201]);
    await kb.treat(number, { results: [result('Read.')] });
    const assistant = await anAssistant(world, two.admin, {
      steps: [say('ok')],
      metadata: { _format_version: 2, tools: [rag([number])] },
    });
    const { statuses } = await assistant.stream('Cells?');
    expect(statuses.find(({ type }) => type === 'placeholder.started')?.label).to.equal(
      'querying knowledge base Theirs',
    );
  });

  it('is not reached by another spelling of its id, nor by an id that nobody registered', async () => {
    const { admin, teacher } = await aSchool();
    const number = aNumber();
    const uuid = randomUUID();
    const canary = { results: [result('canary')] };
    await registering(admin, { name: 'Exam questions', external_id: number });
    await registering(admin, { name: 'Exam answers', external_id: uuid });
    const spellings = [
      ...[number, `0${number}`, `+${number}`, `00${number}`, ` ${number}`, `${number} `, `${number}\0`],
      ...[`${number}/../${number}`, `%2f${number}`, `../collections/${number}`, `.`, `..`, `${number}.0`],
      ...[uuid, uuid.toUpperCase(), `{${uuid}}`, aNumber(), randomUUID(), Number(number), -1, 1e21],
    ];
    for (const spelling of spellings) await kb.treat(String(spelling), canary);

    for (const spelling of spellings) {
      const refused = await save(teacher, [spelling]);
      expect(refused.status, String(spelling)).to.equal(422);
      const absent = await save(teacher, ['nowhere']);
      expect(refused.json.error.message.replaceAll(`base ${String(spelling)} that`, 'base X that')).to.equal(
        absent.json.error.message.replaceAll('base nowhere that', 'base X that'),
      );
    }
    const assistant = await smuggled(teacher, spellings);
    await assistant.ask('What will be asked?');

    for (const spelling of spellings) expect(await kb.ledger(String(spelling))).to.deep.equal([]);
    expect(await assistant.prompt()).not.to.contain('canary');
  });

  describe('among several', () => {
    /** Five of them: two that answer, one that is broken, one that is another's, one that is gone. */
    async function aMixture() {
      const { admin, teacher } = await aSchool();
      const library = collectionsOf(world.service, teacher.key);
      const [sound, broken, theirs] = [aNumber(), aNumber(), aNumber()];
      await kb.treat(sound, { results: [result('Cells divide.')] });
      await kb.treat(broken, { status: 500 });
      await kb.treat(theirs, { results: [result('canary')] });
      const registered = await Promise.all([
        registering(admin, { name: 'Biology', external_id: sound, is_shared: true }),
        registering(admin, { name: 'Chemistry', external_id: broken, is_shared: true }),
        registering(admin, { name: 'Exam questions', external_id: theirs, is_shared: true }),
      ]);
      const here = (await library.make({ name: 'Botany' })).id;
      const gone = (await library.make({ name: 'Old notes' })).id;
      await library.takeIn(here, 'Roots.md', 'Roots of plants drink water, and cells of roots too.');
      const close = async () => {
        await library.send(`/${gone}`, { method: 'DELETE' });
        await world.service.request(`/lamb/v1/collections/${registered[2].json.id}`, {
          ...{ key: admin.key, method: 'PUT', body: { is_shared: false } },
        });
      };
      return { teacher, theirs, close, collections: [gone, theirs, sound, broken, here] };
    }

    it('is used when others are gone, refused or broken, and the step says which failed', async () => {
      const { teacher, theirs, close, collections } = await aMixture();
      const assistant = await anAssistant(world, teacher, {
        steps: [say('ok')],
        metadata: { _format_version: 2, tools: [rag(collections)] },
      });
      await close();

      const { headers, status, text } = await assistant.ask('What do cells do?');

      expect(status, text).to.equal(200);
      const prompt = await assistant.prompt();
      expect(prompt).to.contain('Cells divide.').and.contain('Roots of plants').and.not.contain('canary');
      expect(await kb.ledger(theirs)).to.deep.equal([]);
      const step = await stepOf(teacher, headers);
      expect(step?.ok).to.equal(true);
      expect(step?.facts?.collections).to.have.members(['Biology', 'Botany', 'Chemistry']);
      expect(step?.facts?.failed).to.deep.equal(['Chemistry']);
      expect(step?.facts?.refused).to.have.members(
        [collections[0], theirs].map((id) => `collection ${id ?? ''}`),
      );
      expect(JSON.stringify(step)).not.to.contain('Exam questions').and.not.to.contain(KB_TOKEN);
    });

    it('is offered as a function all the same, and says in its label what was left out', async () => {
      const { teacher, theirs, close, collections } = await aMixture();
      const assistant = await anAssistant(world, teacher, {
        steps: [call('query_knowledge_base', { query: 'cells' }), say('ok')],
        metadata: { _format_version: 2, tools: [rag(collections, {}, { mode: 'function' })] },
      });
      await close();

      const { statuses } = await assistant.stream('What do cells do?');

      const [first, second] = await assistant.requests();
      expect(first?.tools?.[0]?.function.description).to.contain('Biology').and.not.to.contain('Exam');
      expect(second?.messages.at(-1)?.content)
        .to.contain('Cells divide.')
        .and.contain('Chemistry')
        .and.not.contain('canary');
      const ended = statuses.find(({ type }) => type === 'tool.completed');
      expect(ended?.label).to.contain('Chemistry').and.contain('2 more').and.not.to.contain('Exam');
      expect(await kb.ledger(theirs)).to.deep.equal([]);
    });

    it('fails as before when none of them can be asked', async () => {
      const { admin } = await aSchool();
      const [one, two] = [aNumber(), aNumber()];
      for (const number of [one, two]) {
        await kb.treat(number, { status: 500 });
        await registering(admin, { name: `Shelf ${number}`, external_id: number });
      }
      const assistant = await anAssistant(world, admin, {
        steps: [call('query_knowledge_base', { query: 'cells' }), say('ok')],
        metadata: { _format_version: 2, tools: [rag([one, two], {}, { mode: 'function' })] },
      });

      const { statuses } = await assistant.stream('Cells?');

      expect(statuses.some(({ type }) => type === 'tool.failed')).to.equal(true);
      const told = String((await assistant.requests()).at(-1)?.messages.at(-1)?.content);
      expect(told).to.contain(`Shelf ${one}`).and.contain(`Shelf ${two}`);
    });
  });

  it('that nobody registered is named in a preview, with what is to be done', async () => {
    const { teacher } = await aSchool();
    const number = aNumber();
    const { id } = await smuggled(teacher, [number]);

    const preview = await world.service.request<{ warnings: string[] }>(
      `/lamb/v1/assistants/${String(id)}/preview`,
      { key: teacher.key, body: { messages: [{ role: 'user', content: 'Cells?' }] } },
    );

    expect(preview.json.warnings.join('\n')).to.contain(`There is no knowledge base ${number}`);
  });
});
