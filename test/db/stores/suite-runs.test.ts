import { expect } from 'chai';
import type { Knex } from 'knex';
import { BLANK_CONTENT } from '../../../src/core/assistants/assistant.js';
import type { NewSuiteRun } from '../../../src/core/scenarios/suite-run.js';
import type { Stores } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, storesOn } from '../fixtures.js';

const LEASE = { ms: 60_000 };
const OVER = { ms: -1 };
const MOST = { kept: 2, waiting: 10 };
const PROGRESS = { done: 1, cost: 0.25, tokens: 15, results: [] };

describeOnEachEngine('runs of suites', (open) => {
  let db: Knex;
  let stores: Stores;
  let run: NewSuiteRun;
  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    const user = await aUser(stores);
    const { id } = await stores.assistants.create(user, { ...BLANK_CONTENT, name: 'Tried' });
    run = {
      ...{ assistantId: id, version: 1, startedBy: user.id, cassette: 'live', repeat: 1 },
      ...{ scenarios: [], contentHash: 'hash', night: null },
    };
  });

  it('are each taken by one, and by another once its lease has run out', async () => {
    const { suiteRuns } = stores;
    await suiteRuns.create(run, MOST);

    const dead = await suiteRuns.claim(OVER);
    const [first, second] = await Promise.all([suiteRuns.claim(LEASE), suiteRuns.claim(LEASE)]);
    const [taken, none] = first ? [first, second] : [second, first];

    expect([dead?.attempts, taken?.attempts, none]).to.deep.equal([1, 2, undefined]);
    expect(await suiteRuns.keep(dead!, PROGRESS, LEASE)).to.equal(false);
    expect(await suiteRuns.keep(taken!, PROGRESS, LEASE)).to.equal(true);
    expect(await suiteRuns.get(taken!.run.id)).to.deep.include({ status: 'running', ...PROGRESS });
    await suiteRuns.release(taken!);
    expect((await suiteRuns.claim(LEASE))?.attempts).to.equal(2);
  });

  it('end once: what was cancelled is not done afterwards', async () => {
    const { suiteRuns } = stores;
    await suiteRuns.create(run, MOST);
    const work = (await suiteRuns.claim(LEASE))!;

    expect((await suiteRuns.cancel(work.run.id))?.status).to.equal('cancelled');
    const done = { ...PROGRESS, status: 'done' as const, passed: true, error: null };
    expect(await suiteRuns.keep(work, PROGRESS, LEASE)).to.equal(false);
    expect(await suiteRuns.end(work, done)).to.equal(false);
    expect(await suiteRuns.claim(LEASE)).to.equal(undefined);
    expect((await suiteRuns.cancel(work.run.id))?.status).to.equal('cancelled');
  });

  it('are kept as many as there is room for, and wait no more than that', async () => {
    const { suiteRuns } = stores;
    for (let n = 0; n < 3; n++) {
      await suiteRuns.create(run, MOST);
      const work = (await suiteRuns.claim(LEASE))!;
      await suiteRuns.end(work, { ...PROGRESS, status: 'done', passed: n === 0, error: null });
    }
    await suiteRuns.create(run, MOST);
    expect(await db('suite_runs').pluck('status')).to.have.length(2);
    expect(await suiteRuns.create(run, { kept: 2, waiting: 1 })).to.equal('too many');
    expect((await suiteRuns.lastOf(run.assistantId, 'hash'))?.passed).to.equal(false);
  });

  it('are begun once in a night by however many begin them, and the last night stays to be seen', async () => {
    const { suiteRuns } = stores;
    const night = { night: '2030-01-02', at: '2030-01-02T03:00:00.000Z' };
    const { assistantId } = run;
    await db('assistants').update({ metadata: '{"nightly_suite":true}', updated_at: night.at });
    expect(await suiteRuns.due({ ...night, at: '2030-01-02T02:59:59.000Z' }, 0)).to.deep.equal([]);
    expect(await suiteRuns.due(night, 0)).to.deep.equal([assistantId]);
    expect(await suiteRuns.due(night, assistantId)).to.deep.equal([]);

    const begun = await Promise.all(
      [1, 2, 3].map(() => suiteRuns.create({ ...run, night: night.night }, MOST)),
    );
    expect(begun.filter((each) => each === 'there already')).to.have.length(2);
    expect(await suiteRuns.due(night, 0)).to.deep.equal([]);
    await suiteRuns.create(run, MOST);
    // Somebody waits for it, and nobody for the night.
    expect((await suiteRuns.claim(OVER))?.run.night).to.equal(null);
    const endAll = async () => {
      for (let work = await suiteRuns.claim(LEASE); work; work = await suiteRuns.claim(LEASE))
        await suiteRuns.end(work, { ...PROGRESS, status: 'done', passed: true, error: null });
    };
    for (let n = 0; n < 4; n++) {
      await endAll();
      await suiteRuns.create(run, MOST);
    }
    expect(await db('suite_runs').whereNotNull('night').pluck('night')).to.deep.equal([night.night]);
    await suiteRuns.create({ ...run, night: '2030-01-03' }, MOST);
    expect(await db('suite_runs').whereNotNull('night').pluck('night')).to.deep.equal(['2030-01-03']);
  });

  it('go with whoever asked for them, and everything goes with the assistant', async () => {
    const { suiteRuns, scenarios, cassettes, suitePasses, suiteVerdicts } = stores;
    const { assistantId, startedBy } = run;
    const content = { name: 'One', messages: [], expect: [], required: true, hash: 'hash' };
    const [scenario] = (await scenarios.add(assistantId, [content], 1)) as readonly { readonly id: number }[];
    expect(await scenarios.add(assistantId, [content], 1)).to.equal('too many');
    const place = { assistantId, version: 1, scenarioId: scenario!.id, repetition: 0 };
    await suiteRuns.create(run, MOST);
    await cassettes.put(place, { key: ['said'] });
    await cassettes.put(place, { key: ['said again'] });
    for (const requiredHash of ['required', 'required', null])
      await suitePasses.add({ assistantId, version: 2, contentHash: 'hash', requiredHash });

    expect(await cassettes.get(place)).to.deep.equal({ key: ['said again'] });
    expect(await suitePasses.has(assistantId, 'hash', 'other')).to.equal(false);
    expect(await suitePasses.newest(assistantId, 'required')).to.equal(2);
    for (const passed of [false, true])
      await suiteVerdicts.put({ assistantId, version: 1, contentHash: 'hash', passed });
    expect((await suiteVerdicts.of([assistantId, 0])).get(assistantId)?.passed).to.equal(true);
    await db('assistants')
      .where('id', assistantId)
      .update({ owner_id: (await aUser(stores)).id });
    await db('assistant_versions').where('assistant_id', assistantId).del();
    await db('users').where('id', startedBy).del();
    expect(await db('suite_runs').pluck('id')).to.deep.equal([]);
    await db('assistants').where('id', assistantId).del();
    for (const table of ['scenarios', 'suite_cassettes', 'suite_passes', 'suite_verdicts'])
      expect(await db(table).where('assistant_id', assistantId), table).to.deep.equal([]);
  });
});
