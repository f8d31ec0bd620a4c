import { once } from 'node:events';
import { expect } from 'chai';
import type { Knex } from 'knex';
import type { RunRecord } from '../../../src/core/runs/record.js';
import type { Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aModelStep, aRun, aToolStep, aUser, content, storesOn } from '../fixtures.js';

describeOnEachEngine('runs', (open) => {
  let db: Knex;
  let stores: Stores;
  let user: User;
  let assistantId: number;

  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    user = await aUser(stores);
    assistantId = (await stores.assistants.create(user, content())).id;
  });

  const run = (changes: Partial<RunRecord> = {}) => aRun({ user, assistantId }, changes);

  it('come back as they were recorded', async () => {
    const recorded = run({
      parentRunId: 'run_parent',
      conversationId: 'some-conversation',
      status: 'failed',
      errorCode: 'upstream_failed',
      capped: 'budget',
      steps: [
        { ...aModelStep(), ok: false },
        aToolStep({
          tool: `assistant'; --`,
          childRunId: 'run_child',
          detail: { assistant_id: 42, 'na"me': '?' },
        }),
      ],
    });

    await stores.runs.record(recorded);

    expect(await stores.runs.get(recorded.id)).to.deep.equal(recorded);
  });

  it('book one ledger row for each call of a model, and none for anything else', async () => {
    const silent = aToolStep({ kind: 'model' });
    const second = aModelStep({ model: 'gpt-4o', iteration: 2 });
    const recorded = run({ steps: [aModelStep(), aToolStep({ tool: 'weather' }), silent, second] });

    await stores.runs.record(recorded);

    const ledger = (await db('usage_ledger').orderBy('id')) as Record<string, unknown>[];
    const facts = {
      run_id: recorded.id,
      user_id: user.id,
      organization_id: user.organizationId,
      assistant_id: assistantId,
    };
    expect(ledger.map((row) => row['model'])).to.deep.equal(['gpt-4o-mini', 'gpt-4o']);
    expect(ledger[0]).to.include({ ...facts, connector: 'openai', prompt_tokens: 30, completion_tokens: 5 });
  });

  it('handed over together are written by one statement for each two hundred, and nothing beside it', async () => {
    const runs = Array.from({ length: 401 }, () =>
      run({ steps: Array.from({ length: 4 }, () => aModelStep()) }),
    );
    const statements = statementsOn(db);

    await Promise.all(runs.map((record) => stores.runs.record(record)));

    expect(statements).to.have.length(3);
    expect(await db('runs').pluck('id')).to.have.members(runs.map((record) => record.id));
    expect(await db('run_steps').pluck('position')).to.have.length(401 * 4);
    expect(await db('usage_ledger').pluck('id')).to.have.length(401 * 4);
  });

  it('that come while others are being written go together into the next statement', async () => {
    const statements = statementsOn(db);
    const writing = once(db, 'query');

    const first = stores.runs.record(run());
    await writing;
    await Promise.all([first, ...Array.from({ length: 20 }, () => stores.runs.record(run()))]);

    expect(statements).to.have.length(2);
  });

  it('are all recorded once the store has settled, whoever waits for them', async () => {
    const runs = Array.from({ length: 30 }, () => run());

    const recording = runs.map((record) => stores.runs.record(record));
    await stores.runs.settled();

    expect(await db('runs').pluck('id')).to.have.members(runs.map((record) => record.id));
    await Promise.all(recording);
  });

  it('keep every character a database can hold, and show the others as U+FFFD', async () => {
    const words = `'; -- "\\ \u{1F600} é \u2028 \\u0000 \n`;
    const odd = aToolStep({ tool: `${words}\0\uD83D`, detail: { name: `${words}\0` } });
    const recorded = run({ errorCode: words, steps: [odd] });

    await stores.runs.record(recorded);

    const found = await stores.runs.get(recorded.id);
    expect(found?.errorCode).to.equal(words);
    expect(found?.steps[0]?.tool).to.equal(`${words}\uFFFD\uFFFD`);
    expect(found?.steps[0]?.detail).to.deep.equal({ name: `${words}\0` });
  });

  it('are not harmed by a bad one among them', async () => {
    const runs = [run({ id: 'run_twice' }), ...Array.from({ length: 49 }, () => run())];
    const bad = run({ id: 'run_bad', assistantId: 404 });
    const twice = run({ id: 'run_twice' });

    const outcomes = await Promise.allSettled(
      [...runs, bad, twice].map((record) => stores.runs.record(record)),
    );

    const failed = outcomes.flatMap((outcome, index) => (outcome.status === 'rejected' ? [index] : []));
    expect(failed).to.have.length(2);
    expect(failed).to.include(50);
    expect(await db('runs').pluck('id')).to.have.members(runs.map((record) => record.id));
    expect(await stores.runs.get('run_bad')).to.equal(undefined);
    expect(await db('usage_ledger').pluck('id')).to.have.length(50);
  });

  it('are safe when the promise resolves, and recording goes on after a failure', async () => {
    const [bad, good] = [run({ userId: 404 }), run()];

    const outcome = await stores.runs.record(bad).catch(() => 'failed');
    await stores.runs.record(good);

    expect(outcome).to.equal('failed');
    expect(await db('runs').pluck('id')).to.deep.equal([good.id]);
  });

  it('are recorded whole when a measurement is odd', async () => {
    const odd = run({ ms: 12.6, usage: { promptTokens: NaN, completionTokens: 1e300 } });

    await stores.runs.record(odd);

    const found = await stores.runs.get(odd.id);
    expect(found?.ms).to.equal(13);
    expect(found?.usage).to.deep.equal({ promptTokens: 0, completionTokens: 2 ** 31 - 1 });
  });

  it('are listed newest first, by user or organisation, complete and without repeats', async () => {
    const [colleague, stranger] = [
      await aUser(stores, { organizationId: user.organizationId }),
      await aUser(stores),
    ];
    const at = (second: number) => `2026-01-01T00:00:0${String(second)}.000Z`;
    const mine = [0, 1, 1, 1, 2].map((second) => run({ startedAt: at(second) }));
    const theirs = [aRun({ user: colleague, assistantId }), aRun({ user: stranger, assistantId })];
    await Promise.all([...mine, ...theirs].map((record) => stores.runs.record(record)));

    const all: RunRecord[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await stores.runs.list({ userId: user.id }, { limit: 2, cursor: cursor ?? undefined });
      all.push(...page.data);
      cursor = page.nextCursor;
    } while (cursor !== null);

    expect(all.map((record) => record.startedAt)).to.deep.equal([2, 1, 1, 1, 0].map(at));
    expect(all.map((record) => record.id)).to.have.members(mine.map((record) => record.id));
    expect(all[0]?.steps).to.have.length(1);
    const organization = await stores.runs.list({ organizationId: user.organizationId }, { limit: 50 });
    expect(organization.data).to.have.length(6);
    expect((await stores.runs.list({}, { limit: 50 })).data).to.have.length(7);
  });

  it('are not found under an id that is no id', async () => {
    for (const id of ['', 'a\0b', `' OR 1=1`]) expect(await stores.runs.get(id)).to.equal(undefined);
  });
});

describeOnEachEngine('the audit', (open) => {
  it('keeps who was refused what and why, whatever the words', async () => {
    const db = await open();
    const words = `'; DROP TABLE audit; --\0`;

    await storesOn(db).audit.record({
      userId: null,
      organizationId: 7,
      action: 'tool.use',
      resource: words,
      outcome: 'denied',
      reason: words,
      runId: null,
    });

    const [row] = (await db('audit')) as [Record<string, unknown>];
    expect(row).to.include({
      organization_id: 7,
      action: 'tool.use',
      outcome: 'denied',
      user_id: null,
      run_id: null,
    });
    expect(row['resource']).to.equal(`'; DROP TABLE audit; --\uFFFD`);
    expect(row['created_at']).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });
});

function statementsOn(db: Knex): readonly string[] {
  const statements: string[] = [];
  db.on('query', ({ sql }: { sql: string }) => statements.push(sql));
  return statements;
}
