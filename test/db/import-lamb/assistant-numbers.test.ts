import { expect } from 'chai';
import type { Knex } from 'knex';
import { addDemoData, DEMO_ASSISTANTS } from '../../../src/organizations/demo-data.js';
import type { Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { buildLamb, type LambFile } from '../../support/lamb-database.js';
import { LATEST, SCHOOL } from '../../support/lamb-fixture.js';
import { aUser, content, storesOn } from '../fixtures.js';
import { dump, importFile, of, rowsOf } from './lamb-import.js';

const METADATA = { prompt_processor: 'simple_augment', connector: 'bypass', llm: 'simple-bypass' };

/** An assistant of LAMB's whose owner is in its school. */
const theirs = (id: number, metadata: object = {}, more: object = {}) => ({
  ...(SCHOOL['assistants']![1] as object),
  ...{
    id,
    name: `2_number_${String(id)}`,
    api_callback: JSON.stringify({ ...METADATA, ...metadata }),
    ...more,
  },
});
const calling = (id: number) => ({ tools: [{ type: 'assistant', config: { assistant_id: id } }] });

describeOnEachEngine('the numbers of assistants that are imported', (open) => {
  let db: Knex;
  let stores: Stores;
  let me: User;
  const files: LambFile[] = [];
  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    me = await aUser(stores);
  });
  afterEach(() => Promise.all(files.splice(0).map((file) => file.remove())));

  const lambWith = async (...assistants: readonly object[]) => {
    const file = await buildLamb({ rows: { ...SCHOOL, assistants } });
    files.push(file);
    return file.file;
  };
  const imported = (file: string) => importFile(db, file, DEMO_ASSISTANTS);
  const assistantsHere = async () =>
    (await rowsOf(db, 'assistants')).map(({ id, name }) => `${String(id)} ${String(name)}`);
  const made = async (changes: Parameters<typeof content>[0] = {}) =>
    (await stores.assistants.create(me, content(changes))).id;
  const demo = () =>
    addDemoData(me, {
      ...stores,
      files: { ofOwner: () => ({ write: () => Promise.resolve() }) },
      documents: { add: () => Promise.resolve({ document: {} }) },
      documentFiles: { receive: () => Promise.resolve({}) },
    } as unknown as Stores);

  it('stay what they were in a fresh installation, and new ones come after the highest', async () => {
    const lamb = await buildLamb({ rows: SCHOOL, rowsInWal: LATEST });
    files.push(lamb);

    const report = await imported(lamb.file);

    const rows = await rowsOf(db, 'imported_rows', { kind: 'assistant' }, 'source_id');
    expect(rows.map((row) => row['target_id'])).to.deep.equal(rows.map((row) => row['source_id']));
    expect(of(report, 'assistants').renumbered).to.deep.equal([]);
    expect(await made()).to.equal(61);
  });

  it('are others above all of theirs where one is taken, which the report says, and all that name it say it too', async () => {
    const taken = await made({ name: 'Somebody’s' });
    const file = await lambWith(
      theirs(taken, {}, { name: '2_second' }),
      theirs(taken + 8, calling(taken), {
        system_prompt: `Use call_assistant_${String(taken)}, not call_assistant_99.`,
      }),
      theirs(taken + 9),
    );

    const report = await imported(file);

    const to = taken + 10;
    expect(of(report, 'assistants').renumbered).to.deep.equal([{ from: taken, to, name: '2_second' }]);
    expect(await assistantsHere()).to.deep.equal([
      `${String(taken)} Somebody’s`,
      `${String(taken + 8)} 2_number_${String(taken + 8)}`,
      `${String(taken + 9)} 2_number_${String(taken + 9)}`,
      `${String(to)} 2_second`,
    ]);
    const [caller] = await rowsOf(db, 'assistants', { id: taken + 8 });
    expect(caller!.metadata).to.contain(`"assistant_id":${String(to)}`);
    expect(caller!['system_prompt']).to.equal(`Use call_assistant_${String(to)}, not call_assistant_99.`);
    expect(await made()).to.equal(to + 1);
  });

  it('change nothing in a second run, which says old and new again', async () => {
    const taken = await made();
    const file = await lambWith(theirs(taken), theirs(taken + 3, calling(taken)));
    const first = await imported(file);
    const before = await dump(db);

    const again = await imported(file);

    expect(await dump(db)).to.deep.equal(before);
    expect(of(again, 'assistants').renumbered).to.deep.equal(of(first, 'assistants').renumbered);
    expect(of(again, 'assistants').renumbered).to.have.length(1);
  });

  it('are not kept where they would leave no room for more', async () => {
    const report = await imported(await lambWith(theirs(5), theirs(2_147_483_600)));

    expect(of(report, 'assistants').renumbered).to.deep.equal([
      { from: 2_147_483_600, to: 6, name: '2_number_2147483600' },
    ]);
    expect(await made()).to.equal(7);
  });

  describe('of demonstrations', () => {
    const ids = async () => (await rowsOf(db, 'assistants')).map(({ id }) => id);

    it('that nobody has used are given up, which the report says', async () => {
      await demo();
      const [tutor] = await ids();

      const report = await imported(await lambWith(theirs(tutor!)));

      expect(await assistantsHere()).to.deep.equal([`${String(tutor)} 2_number_${String(tutor)}`]);
      expect(of(report, 'assistants').renumbered).to.deep.equal([]);
      expect(
        of(report, 'assistants')
          .remarks.map(({ text, count }) => `${String(count)} × ${text}`)
          .join(),
      ).to.match(/3 × is a demonstration that nobody had used: it was removed/);
    });

    it('stay when none of them is wanted', async () => {
      await demo();
      const here = await ids();

      await imported(await lambWith(theirs(here.at(-1)! + 100)));

      expect(await ids()).to.include.members(here);
    });

    it('stay where one was talked to, or is called by another that stays', async () => {
      await demo();
      const [tutor, guide, desk] = await ids();
      await stores.conversations.create({ userId: me.id, assistantId: guide!, title: 'Cells' });
      await made({ name: 'Calls the tutor', metadata: calling(tutor!) });

      const report = await imported(await lambWith(theirs(tutor!), theirs(guide!), theirs(desk!)));

      const here = (await assistantsHere()).join();
      expect(here).to.include('Cell biology tutor').and.include('Study guide').and.include('Calls the tutor');
      expect(here)
        .to.include(`${String(desk)} 2_number_${String(desk)}`)
        .and.not.include('Course desk');
      expect(of(report, 'assistants').renumbered!.map(({ from }) => from)).to.deep.equal([tutor, guide]);
    });

    for (const [what, use] of [
      ['shared', (id: number, by: User, with_: User) => stores.assistants.share(id, with_.id, by.id)],
      [
        'changed',
        async (id: number, by: User) => {
          const { version, ...was } = (await stores.assistants.get(id))!;
          const change = { ...was, systemPrompt: 'Mine now.' };
          await stores.assistants.replace(id, change, { userId: by.id, expectedVersion: version });
        },
      ],
    ] as const) {
      it(`stay, all that it calls with it, where one was ${what}`, async () => {
        const { orchestratorId } = await demo();
        const colleague = await aUser(stores, { organizationId: me.organizationId });
        await use(orchestratorId, me, colleague);
        const before = await ids();

        await imported(await lambWith(...before.map((id) => theirs(id))));

        const kept = (await assistantsHere()).filter((line) => /Course desk|Cell biology tutor/.test(line));
        expect(kept).to.have.length(2);
      });
    }
  });

  it('come with a word about what LAMB 0.7 has and this has not', async () => {
    const report = await imported(
      await lambWith(
        theirs(1, { prompt_processor: 'kvcache_augment', rag_processor: 'query_rewriting_ks_rag' }),
        theirs(2, { document_rag: 'library_file_rag', library_id: 'l', item_id: 'i' }),
        theirs(3, { rag_processor: 'library_file_rag', library_id: 'l', item_id: 'i' }),
      ),
    );

    const remarks = of(report, 'assistants').remarks.map(({ text, count }) => `${String(count)} × ${text}`);
    expect(remarks.join('\n'))
      .to.match(/1 × has the prompt processor kvcache_augment, which works like simple_augment here/)
      .and.match(/1 × asks knowledge stores of LAMB, which do not come over/)
      .and.match(/2 × reads a document of LAMB’s library \(library_file_rag\), which does not come over/);
    const { setup } = (await stores.assistants.get(1))!;
    expect(setup).to.deep.include({ processor: 'simple_augment', problems: [] });
    expect(setup.tools[0]).to.deep.include({ type: 'simple_rag' });
    expect(setup.tools[0]!.config).to.include({ query_rewrite: true });
    expect((await stores.assistants.get(3))!.setup.tools[0]!.type).to.equal('single_file_rag');
  });
});
