import { uniqueName } from '../../support/fakes/fakes.js';
import type { Step } from '../../support/fakes/model-script.js';
import type { AssistantRecord } from '../../support/service.js';
import type { AssistantParts, TestService } from '../../support/test-service.js';
import { aPerson, type Person, speakingTo } from '../../http/support/users-fixture.js';

export interface ChatAssistant extends AssistantRecord {
  readonly model: string;
  readonly name: string;
}

/** Somebody whose assistants speak to this world's model. */
export const aTeacher = (world: TestService): Promise<Person> =>
  aPerson(world.service, { config: speakingTo(world.model) });

/** An assistant of theirs, on a model of its own that follows this script. */
export async function anAssistant(
  world: TestService,
  { key }: Person,
  steps: readonly Step[],
  { tools = [], metadata = {}, repeat = false, ...content }: AssistantParts = {},
): Promise<ChatAssistant> {
  const model = uniqueName('model');
  const name = uniqueName('assistant');
  await world.model.script(model, steps, { repeat });
  const made = await world.service.createAssistant(
    {
      name,
      metadata: { _format_version: 2, connector: 'openai', llm: model, tools, ...metadata },
      ...content,
    },
    { key },
  );
  return { ...made, name, model };
}

/** A tool that looks into these collections. */
export const knowledgeOf = (mode: 'function' | 'placeholder', ...collections: readonly string[]) => ({
  ...{ type: 'simple_rag', enabled: true, mode, config: { collections, top_k: 2 } },
});

/** A conversation with one question and its answer. */
export async function aConversation(
  { service }: TestService,
  { key }: Person,
  { id }: ChatAssistant,
  question = 'What is it?',
): Promise<string> {
  const body = { messages: [{ role: 'user', content: question }], conversation_id: 'new' };
  const { headers } = await service.chat(id, body, { key });
  return headers.get('x-conversation-id') ?? '';
}
