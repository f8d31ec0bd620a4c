import { expect } from 'chai';
import type { AssistantRecord, Service } from '../../support/service.js';
import type { Person } from './users-fixture.js';

/** An organisation's configuration in LAMB's shape: its OpenAI provider, and whatever else its setup holds. */
export const providers = (openai: object, more: object = {}) => ({
  setups: { default: { providers: { openai }, ...more } },
});

/** Sets up a person's organisation, as a system administrator does. */
export async function configure(service: Service, { organizationId }: Person, config: object): Promise<void> {
  const path = `/lamb/v1/organizations/${String(organizationId)}/config`;
  const answer = await service.request(path, { method: 'PUT', body: config });
  expect(answer.status, answer.text).to.equal(200);
}

export const assistantOf = (
  service: Service,
  { key }: Person,
  metadata: object,
  content: object = {},
): Promise<AssistantRecord> =>
  service.createAssistant({ metadata: { _format_version: 2, ...metadata }, ...content }, { key });
