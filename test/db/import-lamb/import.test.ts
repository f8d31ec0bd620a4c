import { expect } from 'chai';
import type { Knex } from 'knex';
import type { ImportReport } from '../../../db/import-lamb/report.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { buildLamb, type LambFile } from '../../support/lamb-database.js';
import { BROKEN, LATEST, RUBRIC_DATA, SCHOOL, SECRET, SPACED } from '../../support/lamb-fixture.js';
import { storesOn } from '../fixtures.js';
import { countsIn, dump, importFile, newId, of, type Row, rowsOf } from './lamb-import.js';

const whatComesOver = (open: () => Promise<Knex>) => {
  let lamb: LambFile;
  let db: Knex;
  let report: ImportReport;

  before(async () => {
    lamb = await buildLamb({ rows: SCHOOL, rowsInWal: LATEST });
    db = await open();
    report = await importFile(db, lamb.file);
  });
  after(() => lamb.remove());

  const notes = (title: string, kind: 'reasons' | 'remarks' = 'reasons') =>
    of(report, title)[kind].map(({ text, count }) => `${String(count)} × ${text}`);
  const first = async (table: string, where: object) => (await rowsOf(db, table, where))[0];
  const organizationOf = (slug: string) => first('organizations', { slug });
  const userOf = (name: string) => first('users', { email: `${name}@school.test` });
  const assistantOf = async (oldId: number) => first('assistants', { id: await newId(db, oldId) });

  it('counts every row as imported, already there or skipped', () => {
    expect(countsIn(report)).to.deep.equal({
      organisations: '4/0/1',
      users: '10/1/1',
      assistants: '9/0/3',
      shares: '2/0/2',
      rubrics: '3/0/2',
      'prompt templates': '2/0/2',
      'knowledge bases': '2/0/2',
      'test scenarios': '2/0/5',
      'usage totals': '3/0/2',
    });
  });

  it("makes LAMB's system organisation the default one, and no other", async () => {
    expect(await organizationOf('default')).to.include({ name: 'LAMB System' });
    expect(await organizationOf('lamb-default')).to.include({ name: 'Not ours' });
    expect(await organizationOf('lamb')).to.equal(undefined);
    expect(Boolean((await organizationOf('biology'))!.is_system)).to.equal(false);
  });

  it('keeps the whole configuration, through what hides its secrets', async () => {
    const { config } = (await organizationOf('biology'))!;

    expect(JSON.parse(config)).to.deep.equal({ version: '1.0', setups: 'sealed', features: 'sealed' });
    expect(JSON.stringify(await dump(db))).not.to.include(SECRET);
    expect((await organizationOf('closed'))!.config).to.equal('{}');
    expect(notes('organisations', 'remarks')).to.include('2 × was sealed');
  });

  it('gives everybody the rights they had, and nobody the whole service', async () => {
    const roles = await db('users').pluck('role');

    expect(roles).not.to.include('system_admin');
    expect(await userOf('root')).to.include({
      role: 'org_admin',
      organization_id: (await organizationOf('default'))!.id,
    });
    expect(await userOf('head')).to.include({
      role: 'org_admin',
      organization_id: (await organizationOf('biology'))!.id,
    });
    expect((await userOf('ada'))!.role).to.equal('creator');
    expect((await userOf('pupil'))!.role).to.equal('student');
    expect(await userOf('stray')).to.include({
      role: 'creator',
      organization_id: (await organizationOf('default'))!.id,
    });
    expect(notes('users', 'remarks').join()).to.include('administers the default organisation here');
  });

  it('disables who was disabled, and the people of a suspended organisation', async () => {
    const disabled = await db('users').where({ enabled: false }).orderBy('email').pluck('email');

    expect(disabled).to.deep.equal(['gone@school.test', 'nobody@school.test', 'shut@school.test']);
  });

  it('keeps bcrypt hashes, and no text that is none', async () => {
    expect((await userOf('ada'))!.password_hash).to.match(/^\$2[aby]\$04\$/);
    expect((await userOf('lti'))!.password_hash).to.equal(null);
    expect((await userOf('early'))!.password_hash).to.equal(null);
  });

  it('keeps metadata byte for byte, readable or not, and the legacy columns', async () => {
    expect((await assistantOf(42))!.metadata).to.equal(SPACED);
    expect((await assistantOf(43))!.metadata).to.equal('');
    expect((await assistantOf(44))!.metadata).to.equal(BROKEN);
    expect((await assistantOf(45))!.metadata).to.equal(null);
    expect(await assistantOf(41)).to.include({
      rag_collections: '7, ,8,,',
      rag_top_k: 5,
      name: '2_assistant_41',
    });
    expect(await assistantOf(50)).to.include({ rag_top_k: null });
    expect(notes('assistants', 'remarks')).to.include(
      '2 × its metadata cannot be understood: it was kept as it is and does not run',
    );
  });

  it('puts the new ids where an assistant names another, in a circle too, and cuts off who did not come', async () => {
    const [a40, a41, a42, a49] = await Promise.all([40, 41, 42, 49].map((id) => newId(db, id)));
    const named = async (oldId: number) => {
      const { tools } = JSON.parse((await assistantOf(oldId))!.metadata) as {
        tools: { assistant_id: unknown }[];
      };
      return tools.map((tool) => tool.assistant_id);
    };

    expect(await named(40)).to.deep.equal([a41, a42]);
    expect(await named(49)).to.deep.equal([-46, String(a40), a49]);
    expect((await assistantOf(40))!.assistant_type).to.equal('orchestrator');
    expect(notes('assistants', 'remarks').join()).to.include('names an assistant that did not come over');
  });

  it('publishes what was published', async () => {
    const published = await db('assistants').where({ published: true }).orderBy('id').pluck('id');

    expect(published).to.have.members([await newId(db, 40), await newId(db, 60)]);
  });

  it('leaves out deleted assistants, and makes a disabled owner for one whose owner is missing', async () => {
    expect(notes('assistants')).to.deep.equal(['2 × it was deleted in LAMB', '1 × it has no owner']);
    const owner = (await userOf('nobody'))!;
    expect(await assistantOf(45)).to.include({ owner_id: owner.id });
    expect(owner).to.include({ password_hash: null, role: 'creator' });
  });

  it('writes a first version of each assistant, by its owner, as the store itself would', async () => {
    const stores = storesOn(db);
    for (const oldId of [40, 42, 44]) {
      const row = (await assistantOf(oldId))!;
      const [version, ...more] = await rowsOf(db, 'assistant_versions', { assistant_id: row.id });
      expect(more).to.deep.equal([]);
      expect(version).to.include({ version: 1, author_id: row.owner_id });
      expect(JSON.parse(version!.content)).to.include({ name: row.name, metadata: row.metadata });
      expect((await stores.assistants.get(row.id))?.setup.type).to.equal(row.assistant_type);
    }
    expect(await db('assistant_versions')).to.have.length(9);
  });

  it('shares what was shared with whoever came over', async () => {
    const shared = await db('assistant_shares')
      .where({ assistant_id: await newId(db, 41) })
      .pluck('user_id');

    expect(shared).to.have.members([(await userOf('head'))!.id, (await userOf('lti'))!.id]);
  });

  it('keeps the ids and texts of rubrics, and leaves out those that are no JSON', async () => {
    const rubrics = await rowsOf(db, 'rubrics');

    expect(rubrics.map(({ id }) => String(id).slice(-1))).to.deep.equal(['1', '2', '5']);
    expect(rubrics[0]).to.include({ title: 'Essay', data: RUBRIC_DATA, owner_id: (await userOf('ada'))!.id });
    expect(notes('rubrics')).to.deep.equal(['1 × its rubric_data is not a JSON object', '1 × it has no id']);
  });

  it('keeps prompt templates and the registry of knowledge bases', async () => {
    const templates = await rowsOf(db, 'prompt_templates');
    const bases = await rowsOf(db, 'collections');

    expect(templates.map(({ name, is_shared }) => [name, Boolean(is_shared)])).to.deep.equal([
      ['Socratic', true],
      ['Private', false],
    ]);
    expect(bases.map(({ id, place, metadata }) => [id, place, metadata])).to.deep.equal([
      ['7', 'server', '{"language": "en"}'],
      ['8', 'server', '{}'],
    ]);
    expect(bases[0]).to.include({ owner_id: (await userOf('ada'))!.id, name: 'Cells' });
  });

  it('keeps test scenarios that ask something and say what is expected', async () => {
    const rows = await rowsOf(db, 'scenarios');
    const assistantId = await newId(db, 41);
    const asked = (row: Row) => (JSON.parse(String(row['messages'])) as object[]).length;

    expect(rows.map((row) => [row.assistant_id, row['name'], asked(row), row['expect']])).to.deep.equal([
      [assistantId, 'Scenario s1', 2, '[{"judged":"It asks back."}]'],
      [assistantId, 'Scenario s2', 1, '[{"judged":"It asks back."}]'],
    ]);
    expect(notes('test scenarios')).to.have.members([
      '1 × it says nothing of what is expected',
      '1 × its assistant did not come over',
      '1 × its messages are no list that can be read',
      '1 × it asks nothing',
      '1 × it is too long for a scenario, or not all of it is text',
    ]);
    expect(notes('test scenarios', 'remarks')).to.deep.equal([
      '1 × what the assistant said in it was left out: answers are asked for anew',
    ]);
  });

  it('books what was used on the owner, from the totals or else from the log', async () => {
    const rows = await rowsOf(db, 'usage_ledger');
    const booked = async (oldId: number) => {
      const id = await newId(db, oldId);
      const of = rows.filter((row) => row.assistant_id === id);
      return [
        of.reduce((n, row) => n + row.prompt_tokens, 0),
        of.reduce((n, row) => n + row.completion_tokens, 0),
      ];
    };

    expect(await booked(40)).to.deep.equal([3_000_000_000, 20]);
    expect(await booked(41)).to.deep.equal([100, 50]);
    expect(await booked(42)).to.deep.equal([10, 12]);
    expect(rows[0]).to.include({ connector: 'lamb-import', user_id: (await userOf('ada'))!.id });
    expect(rows[0]?.run_id).to.match(/^import:lamb:[0-9a-f]{16}:40$/);
  });

  it('takes times from seconds', async () => {
    expect((await assistantOf(41))!.created_at).to.equal('2024-05-17T12:00:00.000Z');
  });

  it('changes nothing the second time, and says that all is there', async () => {
    const before = await dump(db);

    const again = await importFile(db, lamb.file);

    expect(await dump(db)).to.deep.equal(before);
    expect(again.map(({ imported }) => imported)).to.deep.equal(again.map(() => 0));
    expect(countsIn(again)['assistants']).to.equal('0/9/3');
  });
};

describeOnEachEngine('importing a LAMB installation', whatComesOver, 'suite');
