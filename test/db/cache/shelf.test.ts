import { expect } from 'chai';
import { createRemember } from '../../../db/cache/cache.js';
import type { Generations } from '../../../db/cache/table-versions.js';

const NOTHING: Generations = {
  organizations: 0,
  users: 0,
  api_keys: 0,
  sessions: 0,
  oauth_grants: 0,
  assistants: 0,
  assistant_shares: 0,
  rubrics: 0,
  collections: 0,
  lti_platforms: 0,
  lti_sessions: 0,
  lti_people: 0,
  lti_activities: 0,
  lti_activity_assistants: 0,
  lti_consents: 0,
  budgets: 0,
  assistant_links: 0,
  link_visits: 0,
};

function aShelf() {
  let generations = NOTHING;
  const loads: { readonly key: number; readonly answer: (value: object | undefined) => void }[] = [];
  const faults: ((fault: Error) => void)[] = [];
  const remember = createRemember({ now: () => generations });
  const get = remember(
    ['users'],
    (key: number) =>
      new Promise<object | undefined>((resolve, reject) => {
        loads.push({ key, answer: resolve });
        faults.push(reject);
      }),
  );
  return {
    get,
    loads,
    faults,
    change: (table: keyof Generations) => {
      generations = { ...generations, [table]: generations[table] + 1 };
    },
  };
}

describe('the cache of answers', () => {
  it('asks once for all who come while the answer is on its way', async () => {
    const { get, loads } = aShelf();

    const all = Promise.all([get(1), get(1), get(1)]);
    loads[0]?.answer({ name: 'Ada' });

    expect(new Set(await all).size).to.equal(1);
    expect(loads).to.have.length(1);
  });

  it('never serves what was being loaded while it changed to whoever comes after the change', async () => {
    const { get, loads, change } = aShelf();

    const early = get(1);
    change('users');
    const late = get(1);
    loads[1]?.answer({ name: 'new' });
    loads[0]?.answer({ name: 'old' });

    expect(await early).to.deep.equal({ name: 'old' });
    expect(await late).to.deep.equal({ name: 'new' });
    expect(await get(1)).to.deep.equal({ name: 'new' });
    expect(loads).to.have.length(2);
  });

  it('does not let an old load that came to nothing take the new answer with it', async () => {
    const { get, loads, faults, change } = aShelf();

    const early = get(1).catch(() => 'failed');
    change('users');
    const late = get(1);
    loads[1]?.answer({ name: 'new' });
    await late;
    faults[0]?.(new Error('gone'));
    await early;

    await get(1);
    expect(loads).to.have.length(2);
  });

  it('keeps nothing that failed', async () => {
    const { get, loads, faults } = aShelf();

    const failed = get(1).catch((fault: unknown) => (fault as Error).message);
    faults[0]?.(new Error('busy'));
    const told = await failed;
    const again = get(1);
    loads[1]?.answer({ name: 'Ada' });

    expect(told).to.equal('busy');
    expect(await again).to.deep.equal({ name: 'Ada' });
  });

  it('is cleared by a change of its own tables and of no others', async () => {
    const { get, loads, change } = aShelf();
    const first = get(1);
    loads[0]?.answer({});
    await first;

    change('rubrics');
    await get(1);
    const untouched = loads.length;
    change('users');
    void get(1);

    expect([untouched, loads.length]).to.deep.equal([1, 2]);
  });

  it('holds 5 000 answers and forgets the oldest first', async () => {
    const { get, loads } = aShelf();
    const fill = async (key: number) => {
      const answer = get(key);
      loads.at(-1)?.answer({ key });
      await answer;
    };
    for (let key = 0; key < 5_001; key++) await fill(key);

    await get(1);
    await get(5_000);
    const kept = loads.length;
    void get(0);

    expect([kept, loads.length]).to.deep.equal([5_001, 5_002]);
  });

  it('freezes an answer to its depths before anybody has it', async () => {
    const { get, loads } = aShelf();
    const deep = { tools: [{ config: { city: 'Bilbao' } }] };

    const answer = get(1).then(() => Object.isFrozen(deep.tools[0]?.config));
    loads[0]?.answer(deep);

    expect(await answer).to.equal(true);
  });
});
