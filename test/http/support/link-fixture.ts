import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { say, type Step } from '../../support/fakes/model-script.js';
import type { TestService } from '../../support/test-service.js';
import { assistantOf, configure } from './settings-client.js';
import { aColleagueOf, aPerson, type Person, speakingTo } from './users-fixture.js';

export interface Link {
  readonly id: number;
  readonly url: string;
  readonly expires_at: string | null;
  readonly visits: number;
}

interface Wishes {
  readonly steps?: readonly Step[];
  readonly features?: object;
  readonly limits?: object;
  /** What is written in the assistant, beside its metadata. */
  readonly content?: object;
  readonly [part: string]: unknown;
}

/** What stands in a link's address. */
export const tokenIn = (url: string): string => url.split('/l/')[1] ?? '';

/** A teacher's assistant in an organisation that lets in people without an account. */
export async function aLinkedAssistant({ service, model }: TestService, wishes: Wishes = {}) {
  const { steps = [say('Hello.')], features = { public_links: true }, limits = {} } = wishes;
  const { steps: _steps, features: _features, limits: _limits, content = {}, ...parts } = wishes;
  const teacher = await aPerson(service);
  const administrator = await aColleagueOf(service, teacher, 'org_admin');
  const settings = { ...speakingTo(model), limits };
  const allow = (now: object) => configure(service, teacher, { ...settings, features: now });
  await allow(features);
  const llm = uniqueName('linked');
  await model.script(llm, steps, { repeat: true });
  const assistant = await assistantOf(service, teacher, { connector: 'openai', llm, ...parts }, content);
  const path = `/lamb/v1/assistants/${String(assistant.id)}/links`;

  const make = (body: object = {}, { key }: Person = teacher) =>
    service.request<Link>(path, { method: 'POST', key, body });
  const begin = (url: string, headers: Record<string, string> = {}) =>
    service.request<{ token: string }>('/l/visits', {
      ...{ method: 'POST', key: null, headers, body: { link: tokenIn(url) } },
    });
  return {
    ...{ teacher, administrator, assistant, llm, path, allow, make, begin },
    async link(body?: object): Promise<Link> {
      const { status, json, text } = await make(body);
      expect(status, text).to.equal(201);
      return json;
    },
    /** The key of somebody who has opened the link. */
    async visitor({ url }: Pick<Link, 'url'>): Promise<string> {
      const { status, json, text } = await begin(url);
      expect(status, text).to.equal(201);
      return json.token;
    },
    revoke: ({ id }: Pick<Link, 'id'>, { key }: Person = teacher) =>
      service.request(`/lamb/v1/links/${String(id)}`, { method: 'DELETE', key }),
    ask: (key: string, input: object = {}) =>
      service.chat(assistant.id, { messages: [{ role: 'user', content: 'Hello?' }], ...input }, { key }),
  };
}
