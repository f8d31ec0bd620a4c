import { expect } from 'chai';
import pLimit from 'p-limit';
import { LOGIN, PASSWORD } from '../../http/support/credentials.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { held, say } from '../../support/fakes/model-script.js';
import { asking } from '../asked-model.js';
import { eventually } from '../eventually.js';
import type { Installation } from '../installation.js';
import { SCALE } from '../scale.js';
import { aSchool } from '../school.js';

const { rateLimit } = SCALE;
const ASKED = rateLimit + 30;
/** Points are taken in batches: the rest of one may lie unused with each replica. */
const AT_LEAST = rateLimit * 0.9;
const AT_ONCE = 24;

export function rulesOfLimits(at: () => Installation): void {
  const many = async <T>(count: number, ask: (i: number) => Promise<T>): Promise<T[]> => {
    const atOnce = pLimit(AT_ONCE);
    return Promise.all(Array.from({ length: count }, (_, i) => atOnce(() => ask(i))));
  };
  const passed = (answers: readonly { readonly status: number }[], status = 200) =>
    answers.filter((answer) => answer.status === status).length;

  it('the requests of a key are counted together: never more than its limit pass in a minute', async () => {
    const key = await at().newKey();
    const begunAt = Date.now();

    const answers = await many(ASKED, () => at().request('/lamb/v1/me', { key }));

    const minutes = 1 + Math.floor((Date.now() - begunAt) / 60_000);
    expect(passed(answers)).to.be.within(AT_LEAST, rateLimit * minutes);
    expect(passed(answers) + passed(answers, 429)).to.equal(ASKED);
  });

  it('tries to sign in to an account are counted together: ten a minute, wherever they come to', async () => {
    const body = { email: `${uniqueName('nobody')}@example.test`, password: PASSWORD };

    const answers = await many(15, () => at().request(LOGIN, { key: null, body }));

    expect([passed(answers, 401), passed(answers, 429)]).to.deep.equal([10, 5]);
  });

  it('a budget of tokens is never overspent by chats at all of them at once, and is spent', async () => {
    const { id } = await at().assistant();
    const scope = { type: 'assistant', id };
    const body = { scope, unit: 'tokens', amount: 400, period: 'total' };
    const budget = await at().request<{ id: string }>('/lamb/v1/budgets', { body });
    const question = { messages: [{ role: 'user', content: asking(say('Yes.')) }], max_tokens: 50 };

    const key = await at().newKey();
    const answers = await many(40, () => at().chat(id, question, { key }));
    // Together they set the worst case aside, each of its own. One after the other they come near the end.
    do answers.push(await at().chat(id, question, { key }));
    while (answers.at(-1)?.status === 200);

    const left = await at().request<{ used: number; reserved: number }>(`/lamb/v1/budgets/${budget.json.id}`);
    expect(left.json.used)
      .to.equal(15 * passed(answers))
      .and.to.be.within(200, 400);
    expect(left.json).to.include({ reserved: 0 });
    expect(passed(answers) + passed(answers, 429)).to.equal(answers.length);
  });

  it('a budget of questions lets exactly so many through', async () => {
    const { id } = await at().assistant();
    const body = { scope: { type: 'assistant', id }, unit: 'requests', amount: 10, period: 'total' };
    await at().request('/lamb/v1/budgets', { body });

    const key = await at().newKey();
    const answers = await many(30, () => at().chat(id, asking(say('Yes.')), { key }));

    expect([passed(answers), passed(answers, 429)]).to.deep.equal([10, 20]);
  });

  it('an organisation has no more runs at the same time at all of them than at one, and others wait in vain', async () => {
    const gate = uniqueName('gate');
    const school = await aSchool(at(), [held(gate, say('Yes.'))]);
    await school.configure(at(), { concurrent_runs: 2 });
    const { assistantId, key, llm } = school;
    const ask = (i: number) => at().replicas[i % 3]!.chat(assistantId, 'Hello?', { key });

    const asked = Array.from({ length: 9 }, (_, i) => ask(i));
    const refused: string[] = [];
    for (const answer of asked)
      void answer.then(({ status, json }) => {
        if (status === 429) refused.push(json.error?.code ?? '');
      });
    await eventually(
      () => Promise.resolve(refused.length),
      (count) => count === 7,
    );
    const begun = await at().model.ledger(llm);
    await at().model.release(gate);
    const answers = await Promise.all(asked);
    const later = await ask(0);

    expect([begun.length, passed(answers), later.status]).to.deep.equal([2, 2, 200]);
    expect(new Set(refused)).to.deep.equal(new Set(['too_many_runs']));
  });
}
