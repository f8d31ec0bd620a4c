import { expect } from 'chai';
import { sharedService, weatherFunction, type TestService } from '../../support/test-service.js';
import { type AssistantClient, clientOf, type Listed } from '../support/assistant-client.js';
import { refusalOf } from '../support/refusal.js';
import {
  aColleagueOf,
  aPerson,
  auditOf,
  inDatabase,
  type Person,
  shareWith,
} from '../support/users-fixture.js';

const CLASSIC = { connector: 'bypass', llm: 'simple-bypass', rag_processor: 'no_rag', note: { kept: true } };
const FOREIGN = '{ "connector":"bypass",  "llm" : "simple-bypass", "big": 12345678901234567890 }\n';

describe('the versions of an assistant', function () {
  this.timeout(60_000);
  let world: TestService;
  let owner: Person;
  let mine: AssistantClient;
  before(async () => {
    world = await sharedService();
    owner = await aPerson(world.service);
    mine = clientOf(world, owner);
  });
  const made = async (content: object = {}) => {
    const { id } = await world.service.createAssistant({ metadata: CLASSIC, ...content }, { key: owner.key });
    return `/${String(id)}`;
  };
  const change = (at: string, version: number, body: object) =>
    mine.put(at, { name: 'renamed', version, ...body });
  const numbers = async (at: string) =>
    (await mine.get<Listed<{ version: number }>>(`${at}/versions`)).json.data.map(({ version }) => version);
  const storeText = (at: string, metadata: string) =>
    inDatabase(world.service, (_stores, db) =>
      db('assistants')
        .where('id', Number(at.slice(1)))
        .update({ metadata }),
    );

  it('are listed newest first with author, time and hash, page by page', async () => {
    const at = await made();
    const admin = await aColleagueOf(world.service, owner, 'org_admin');
    await clientOf(world, admin).put(at, { name: 'by the admin', version: 1 });

    const first = await mine.get<Listed>(`${at}/versions?limit=1`);
    const second = await mine.get<Listed>(`${at}/versions?limit=1&cursor=${first.json.next_cursor!}`);

    expect(first.json.data[0]).to.have.all.keys('version', 'author', 'created_at', 'content_hash');
    expect(first.json.data[0]).to.include({ version: 2, author: admin.email });
    expect(second.json.data[0]).to.include({ version: 1, author: owner.email });
    expect(second.json.next_cursor).to.equal(null);
    refusalOf(await mine.get(`${at}/versions?cursor=nonsense`), 400);
  });

  it('are read whole: every field, the metadata as the very text and as what it says', async () => {
    const content = {
      name: 'first',
      description: 'd',
      system_prompt: 's',
      prompt_template: 't',
      RAG_collections: 'a',
      RAG_Top_k: 2,
    };
    const at = await made(content);
    await change(at, 1, { metadata: {} });

    const { json } = await mine.get(`${at}/versions/1`);

    expect(json).to.deep.include({ version: 1, author: owner.email, ...content, metadata: CLASSIC });
    expect(json).to.include({
      metadata_text: JSON.stringify(CLASSIC),
      published: false,
      publish_scope: 'organization',
      enabled: true,
    });
    refusalOf(await mine.get(`${at}/versions/3`), 404);
    refusalOf(await mine.get(`${at}/versions/x`), 400);
  });

  it('are compared field by field, and by JSON path within the metadata', async () => {
    const at = await made({
      description: 'old',
      metadata: { ...CLASSIC, tools: [weatherFunction], gone: 1 },
    });
    const tools = [{ ...weatherFunction, config: { units: 'imperial' } }];
    await change(at, 1, { description: 'new', metadata: { ...CLASSIC, tools, 'odd key': [1] } });

    const { json } = await mine.get(`${at}/versions/1/diff?with=2`);
    const back = await mine.get<{ metadata: object }>(`${at}/versions/2/diff?with=1`);
    const same = await mine.get(`${at}/versions/2/diff`);

    expect(json).to.include({ from: 1, to: 2 });
    expect(json['fields']).to.deep.include({ field: 'description', from: 'old', to: 'new' });
    expect((json['fields'] as { field: string }[]).map(({ field }) => field)).to.deep.equal([
      'name',
      'description',
    ]);
    expect(json['metadata']).to.deep.equal({
      added: [
        { path: '$.tools[0].config.units', value: 'imperial' },
        { path: '$["odd key"]', value: [1] },
      ],
      removed: [{ path: '$.gone', value: 1 }],
      changed: [],
    });
    expect(back.json.metadata).to.deep.include({ added: [{ path: '$.gone', value: 1 }] });
    expect(same.json).to.deep.include({
      from: 2,
      to: 2,
      fields: [],
      metadata: { added: [], removed: [], changed: [] },
    });
    refusalOf(await mine.get(`${at}/versions/1/diff?with=9`), 404);
  });

  it('come back as a new version, by whoever read the newest', async () => {
    const at = await made({ name: 'first' });
    await change(at, 1, { metadata: {} });

    const stale = await mine.post(`${at}/versions/1/restore`, { version: 1 });
    const restored = await mine.post(`${at}/versions/1/restore`, { version: 2 });
    const again = await mine.post(`${at}/versions/2/restore`);

    refusalOf(stale, 409);
    expect(restored.json).to.deep.include({ name: 'first', version: 3, metadata: CLASSIC });
    expect(again.json).to.deep.include({ name: 'renamed', version: 4, metadata: {} });
    expect(await numbers(at)).to.deep.equal([4, 3, 2, 1]);
    refusalOf(await mine.post(`${at}/versions/9/restore`), 404);
    refusalOf(await mine.post(`${at}/versions/1/restore`, { force: true }), 400);
  });

  it('do not come back when they would not be saved today', async () => {
    const target = await world.service.createAssistant({ metadata: CLASSIC }, { key: owner.key });
    const calling = { tools: [{ type: 'assistant', mode: 'function', config: { assistant_id: target.id } }] };
    const at = await made({ metadata: calling });
    await change(at, 1, { metadata: {} });
    await mine.remove(`/${String(target.id)}`);
    await storeText(at, '{"broken":');
    await change(at, 2, {});

    expect(refusalOf(await mine.post(`${at}/versions/1/restore`), 422).message).to.contain(String(target.id));
    refusalOf(await mine.post(`${at}/versions/3/restore`), 422);
    expect(await numbers(at)).to.deep.equal([3, 2, 1]);
  });

  it('are for those who may read how it is made: a guest gets 403, anybody else 404, both audited', async () => {
    const at = await made();
    const [guest, stranger] = await Promise.all([aPerson(world.service), aPerson(world.service)]);
    await shareWith(world.service, Number(at.slice(1)), guest);
    const tries = (client: AssistantClient) => [
      client.get(`${at}/versions`),
      client.get(`${at}/versions/1`),
      client.get(`${at}/versions/1/diff?with=1`),
      client.post(`${at}/versions/1/restore`),
      client.post(`${at}/convert`, {}),
      client.get(`${at}/export`),
    ];

    const [guests, strangers] = await Promise.all([
      Promise.all(tries(clientOf(world, guest))),
      Promise.all(tries(clientOf(world, stranger))),
    ]);

    for (const answer of guests) refusalOf(answer, 403);
    for (const answer of strangers)
      expect(refusalOf(answer, 404).message).to.equal('The assistant was not found.');
    expect(await auditOf(world.service, guest)).to.have.length(6);
    expect(await auditOf(world.service, stranger)).to.have.length(6);
    expect(await numbers(at)).to.deep.equal([1]);
  });

  describe('converting', () => {
    it('tells before, after and the keys that change; with dry_run it writes nothing', async () => {
      const at = await made({ RAG_collections: 'a,b', RAG_Top_k: 5 });

      const dry = await mine.post(`${at}/convert`, { dry_run: true });
      const untouched = await numbers(at);
      const done = await mine.post(`${at}/convert`);

      expect(dry.json).to.have.all.keys('before', 'after', 'changed');
      expect(dry.json).to.deep.include({
        before: CLASSIC,
        changed: ['_format_version', 'tools', 'assistant_type'],
      });
      expect(untouched).to.deep.equal([1]);
      expect(done.json).to.deep.equal(dry.json);
      expect((await mine.get(at)).json).to.deep.include({
        metadata: done.json['after'],
        version: 2,
        RAG_collections: 'a,b',
        RAG_Top_k: 5,
      });
    });

    it('changes nothing and writes no version when it is canonical already', async () => {
      const at = await made();
      const { json } = await mine.post(`${at}/convert`);

      const again = await mine.post(`${at}/convert`);

      expect(again.json).to.deep.equal({ before: json['after'], after: json['after'], changed: [] });
      expect(await numbers(at)).to.deep.equal([2, 1]);
    });

    it('leaves the original readable to the byte, whoever stored it', async () => {
      const at = await made();
      await storeText(at, FOREIGN);

      await mine.post(`${at}/convert`);

      const texts = await Promise.all(
        (await numbers(at)).map(
          async (n) => (await mine.get(`${at}/versions/${String(n)}`)).json['metadata_text'],
        ),
      );
      expect(texts).to.include(FOREIGN);
    });

    for (const [what, text] of [
      ['unreadable', '{"llm":'],
      ['newer', '{"_format_version":3}'],
    ] as const) {
      it(`refuses ${what} metadata with 422 and writes over nothing`, async () => {
        const at = await made();
        await storeText(at, text);

        refusalOf(await mine.post(`${at}/convert`, {}), 422);
        refusalOf(await mine.post(`${at}/convert`, { dry_run: true }), 422);

        const stored = await inDatabase(world.service, (_stores, db) =>
          db('assistants')
            .where('id', Number(at.slice(1)))
            .pluck('metadata'),
        );
        expect(stored).to.deep.equal([text]);
        expect(await numbers(at)).to.deep.equal([1]);
      });
    }

    it('is done once by many who ask at once', async () => {
      const at = await made();

      const answers = await Promise.all(
        Array.from({ length: 20 }, () => mine.post<{ changed: string[] }>(`${at}/convert`)),
      );

      expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
      expect(answers.filter(({ json }) => json.changed.length > 0)).to.have.length(1);
      expect(await numbers(at)).to.deep.equal([2, 1]);
    });
  });

  describe('deleting', () => {
    it('can be undone by the owner, who alone sees it among the deleted', async () => {
      const at = await made();
      const colleague = await aColleagueOf(world.service, owner);
      const before = (await mine.get(at)).json;
      await mine.remove(at);

      const bin = await mine.get<Listed>('?deleted=true');
      const others = await clientOf(world, colleague).get<Listed>('?deleted=true');
      const list = await mine.get<Listed>('?limit=200');
      const restored = await mine.post(`${at}/restore`);

      expect(bin.json.data.map(({ id }) => id)).to.include(before['id']);
      expect(bin.json.data[0]).to.have.property('deleted_at').that.matches(/Z$/);
      expect(others.json.data).to.deep.equal([]);
      expect(list.json.data.map(({ id }) => id)).not.to.include(before['id']);
      expect(restored.status).to.equal(200);
      expect(restored.json).to.deep.equal(before);
      expect((await mine.get(at)).json).to.deep.equal(before);
      expect((await mine.post(`${at}/restore`)).json).to.deep.equal(before);
      const deeds = (await auditOf(world.service, owner)).map(({ action, resource }) => [action, resource]);
      expect(deeds).to.deep.include(['restore', `assistant ${at.slice(1)}`]);
    });

    it('can be undone by administrators, and is for everybody else as if it had never been', async () => {
      const at = await made();
      const [guest, admin] = await Promise.all([
        aPerson(world.service),
        aColleagueOf(world.service, owner, 'org_admin'),
      ]);
      await shareWith(world.service, Number(at.slice(1)), guest);
      await mine.remove(at);

      const refused = await clientOf(world, guest).post(`${at}/restore`);
      const unknown = await clientOf(world, guest).post('/999999999/restore');
      const restored = await clientOf(world, admin).post(`${at}/restore`);

      refusalOf(refused, 404);
      expect(refused.text).to.equal(unknown.text);
      expect(restored.status).to.equal(200);
    });
  });
});
