import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import type { Step } from '../../support/fakes/model-script.js';
import type { TestService } from '../../support/test-service.js';
import { assistantOf, configure } from './settings-client.js';
import { aColleagueOf, aPerson, type Person, publish, speakingTo } from './users-fixture.js';

export interface Budget {
  readonly id: string;
  readonly amount: number;
  readonly used: number;
  readonly reserved: number;
  readonly remaining: number;
  readonly resets_at: string | null;
}

/** An organisation with an assistant that answers by this script. */
export async function aBudgetedClass(
  { service, model }: TestService,
  steps: readonly Step[],
  more: object = {},
) {
  const teacher = await aPerson(service);
  const administrator = await aColleagueOf(service, teacher, 'org_admin');
  const pupil = await aColleagueOf(service, teacher, 'student');
  const llm = uniqueName('budgeted');
  const { setups } = speakingTo(model) as { setups: { default: object } };
  const prices = { [llm]: { prompt: 2, completion: 10 } };
  await configure(service, teacher, {
    setups: { default: { ...setups.default, prices, currency: 'EUR' } },
  });
  await model.script(llm, steps, { repeat: true });
  const assistant = await assistantOf(service, teacher, { connector: 'openai', llm, ...more });
  await publish(service, assistant.id, 'organization', teacher);
  const send = <T = Budget>(path: string, method = 'GET', body?: object, key = administrator.key) =>
    service.request<T>(`/lamb/v1/budgets${path}`, { method, key, ...(body ? { body } : {}) });
  const limit = async (scope: object, budget: object) => {
    const { status, json } = await send('', 'POST', {
      ...{ scope, unit: 'tokens', amount: 10_000, period: 'day', ...budget },
    });
    expect(status, JSON.stringify(json)).to.equal(201);
    return json;
  };
  const ask = (person: Person = pupil, body: object = {}) =>
    service.chat(
      assistant.id,
      { messages: [{ role: 'user', content: 'Hello?' }], max_tokens: 1_000, ...body },
      { key: person.key },
    );
  const read = async ({ id }: Budget) => (await send(`/${id}`)).json;
  return { teacher, administrator, pupil, assistant, llm, send, limit, ask, read };
}

export const organization = ({ organizationId }: Person) => ({ type: 'organization', id: organizationId });
