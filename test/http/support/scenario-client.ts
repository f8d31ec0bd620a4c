import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { say, type Step } from '../../support/fakes/model-script.js';
import type { Answer, AssistantRecord } from '../../support/service.js';
import type { TestService } from '../../support/test-service.js';
import { assistantOf, configure, providers } from './settings-client.js';
import { aColleagueOf, aPerson, type Person } from './users-fixture.js';

export interface ShownTry {
  readonly passed: boolean | null;
  readonly answer: string;
  readonly expectations: readonly {
    readonly passed: boolean | null;
    readonly why: string;
    readonly reason?: object;
  }[];
}

export interface ShownSuiteRun {
  readonly id: string;
  readonly version: number;
  readonly status: string;
  readonly passed: boolean | null;
  readonly progress: { readonly done: number; readonly of: number };
  readonly cost: number | null;
  readonly tokens: number;
  readonly scenarios: readonly {
    readonly id: number;
    readonly name: string;
    readonly passed: boolean | null;
    readonly runs: readonly ShownTry[];
  }[];
}

export const aScenario = (expectations: readonly object[], more: object = {}) => ({
  name: uniqueName('scenario'),
  messages: [{ role: 'user', content: 'Hello?' }],
  expect: expectations,
  ...more,
});

export const GREETS = [{ contains: 'hello' }];

export interface Wishes {
  readonly steps?: readonly Step[];
  /** What the small model says to everything; without one there is none. */
  readonly judge?: readonly Step[];
  readonly metadata?: object;
  readonly config?: object;
  /** Of its organisation, beside the models. */
  readonly setup?: object;
  readonly content?: object;
}

/** A teacher's assistant on a model of its own, and all that can be done with its scenarios. */
export async function aTriedAssistant(
  { service, model }: Pick<TestService, 'service' | 'model'>,
  wishes: Wishes = {},
) {
  const { steps = [say('Hello.')], judge, metadata = {}, config = {}, setup = {}, content = {} } = wishes;
  const teacher = await aPerson(service);
  const administrator = await aColleagueOf(service, teacher, 'org_admin');
  const student = await aColleagueOf(service, teacher, 'student');
  const [llm, small] = [uniqueName('tried'), uniqueName('judge')];
  await model.script(llm, steps, { repeat: true });
  if (judge) await model.script(small, judge, { repeat: true });
  const judging = judge ? { small_fast_model: { provider: 'openai', model: small } } : {};
  await configure(service, teacher, {
    ...providers({ base_url: `${model.url}/v1` }, { ...judging, ...setup }),
    ...{ features: { public_links: true }, ...config },
  });
  const made = await assistantOf(service, teacher, { connector: 'openai', llm, ...metadata }, content);
  const path = `/lamb/v1/assistants/${String(made.id)}`;
  const { key } = teacher;

  const add = (body: unknown, by: Person = teacher) =>
    service.request<{ id: number }>(`${path}/scenarios`, {
      method: 'POST',
      key: by.key,
      body: body as object,
    });
  const read = async () => (await service.request<AssistantRecord>(path, { key })).json;
  const begin = (wish: object = {}, by: Person = teacher) =>
    service.request<{ id: string }>(`${path}/suite-runs`, { method: 'POST', key: by.key, body: wish });
  const shown = async (id: string) =>
    (await service.request<ShownSuiteRun>(`/lamb/v1/suite-runs/${id}`, { key })).json;
  return {
    ...{ teacher, administrator, student, llm, small, path, id: made.id, add, read, begin, shown },
    async scenario(body: object = aScenario(GREETS)): Promise<number> {
      const { status, json, text } = await add(body);
      expect(status, text).to.equal(201);
      return json.id;
    },
    /** Runs them and waits to the end. */
    async run(wish: object = {}): Promise<ShownSuiteRun> {
      const { status, json, text } = await begin(wish);
      expect(status, text).to.equal(202);
      // It is told to the end.
      await service.request(`/lamb/v1/suite-runs/${json.id}/events`, { key });
      return await shown(json.id);
    },
    async put(change: object, by: Person = teacher): Promise<Answer<AssistantRecord>> {
      const { name, version } = await read();
      return service.request(path, { method: 'PUT', key: by.key, body: { name, version, ...change } });
    },
    /** What its metadata says besides. */
    async metadata(
      change: object,
      more: object = {},
      by: Person = teacher,
    ): Promise<Answer<AssistantRecord>> {
      const { name, version, metadata: before } = await read();
      const body = { name, version, metadata: { ...before, ...change }, ...more };
      return service.request(path, { method: 'PUT', key: by.key, body });
    },
    post: (part: string, body: object, by: Person = teacher) =>
      service.request(`${path}/${part}`, { method: 'POST', key: by.key, body }),
    ask: (by: Person, question = 'Hello?') => service.chat(made.id, question, { key: by.key }),
  };
}

export type TriedAssistant = Awaited<ReturnType<typeof aTriedAssistant>>;
