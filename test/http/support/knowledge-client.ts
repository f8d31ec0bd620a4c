import type { Collection } from '../../../src/core/knowledge/collection.js';
import { inDatabase, type Person, aPerson } from './users-fixture.js';
import { configure, providers } from './settings-client.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import type { FakeKbServer } from '../../support/kb-server.js';
import type { Step } from '../../support/fakes/model-script.js';
import type { TestService } from '../../support/test-service.js';

export const KB_TOKEN = 'canary-kb-token-0123456789';

export type Services = Pick<TestService, 'service' | 'model'>;

/** Somebody whose organisation has a knowledge base server, and a small model when a name is given. */
export async function aKnowledgePerson(
  { service, model }: Services,
  kb: FakeKbServer,
  { small, organizationId }: { readonly small?: string; readonly organizationId?: number } = {},
): Promise<Person> {
  const person = await aPerson(service, organizationId === undefined ? {} : { organizationId });
  const more = {
    knowledge_base: { server_url: kb.url, api_token: KB_TOKEN },
    ...(small === undefined ? {} : { small_fast_model: { provider: 'openai', model: small } }),
  };
  await configure(service, person, providers({ base_url: `${model.url}/v1` }, more));
  return person;
}

/** Makes a collection on the server known here, under a name, as an import from LAMB does. */
export const register = (
  { service }: Services,
  { id, organizationId }: Person,
  collection: string,
  { name = 'Biology 101', isShared = false } = {},
): Promise<Collection> =>
  inDatabase(service, ({ collections }) =>
    collections.create({ id, organizationId }, { name, description: '', isShared }, collection),
  );

export const rag = (collections: readonly string[], config: object = {}, entry: object = {}) => ({
  ...{ type: 'simple_rag', enabled: true, mode: 'placeholder', config: { collections, ...config } },
  ...entry,
});

/** An assistant of theirs on a model that makes these steps. */
export async function anAssistant(
  { service, model }: Services,
  { key }: Person,
  {
    steps,
    ...content
  }: { readonly steps: readonly Step[]; readonly metadata?: object; readonly [key: string]: unknown },
) {
  const llm = uniqueName('reader');
  await model.script(llm, steps, { repeat: true });
  const metadata = { connector: 'openai', llm, ...content.metadata };
  const { id } = await service.createAssistant(
    { prompt_template: 'Known:\n{context}\nAsked: {user_input}', ...content, metadata },
    { key },
  );
  const requests = async () => (await model.ledger(llm)).map(({ body }) => body);
  return {
    id,
    llm,
    requests,
    prompt: async () => String((await requests()).at(-1)?.messages.at(-1)?.content),
    ask: (input: string | { readonly messages: readonly object[] }) => service.chat(id, input, { key }),
    stream: async (input: string) => (await service.stream(id, input, { key })).whole(),
  };
}
