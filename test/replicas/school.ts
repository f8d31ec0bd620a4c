import { PASSWORD } from '../http/support/credentials.js';
import { uniqueName } from '../support/fakes/fakes.js';
import type { Step } from '../support/fakes/model-script.js';
import type { Installation } from './installation.js';

/** An organisation of its own, whose teacher has an assistant. */
export interface School {
  readonly key: string;
  readonly assistantId: number;
  readonly llm: string;
  /** Answered by that one. */
  configure(by: Pick<Installation, 'request'>, limits: object): Promise<void>;
}

/** Its model follows the script, again and again. */
export async function aSchool(at: Installation, steps: readonly Step[]): Promise<School> {
  const [slug, llm] = [uniqueName('school'), uniqueName('model')];
  await at.model.script(llm, steps, { repeat: true });
  const setups = { default: { providers: { openai: { base_url: `${at.model.url}/v1`, api_key: 'sk-x' } } } };
  const made = await at.request<{ id: number }>('/lamb/v1/organizations', {
    body: { slug, name: slug, config: { setups } },
  });
  const [organization_id, email] = [made.json.id, `${slug}@example.test`];
  await at.request('/lamb/v1/users', { body: { email, name: 'Ada', password: PASSWORD, organization_id } });
  const key = await at.request<{ key: string }>('/lamb/v1/api-keys', {
    body: { name: 'laptop', user_email: email },
  });
  const metadata = { _format_version: 2, connector: 'openai', llm, tools: [] };
  const { id } = await at.createAssistant({ metadata }, { key: key.json.key });
  return {
    ...{ key: key.json.key, assistantId: id, llm },
    async configure(by, limits) {
      const path = `/lamb/v1/organizations/${String(organization_id)}/config`;
      const { status, text } = await by.request(path, { method: 'PUT', body: { setups, limits } });
      if (status !== 200) throw new Error(`The school was not configured: ${text}`);
    },
  };
}
