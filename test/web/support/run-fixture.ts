import { aPerson, speakingTo, type Person, type PersonFacts } from '../../http/support/users-fixture.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import type { TestService } from '../../support/test-service.js';

const USAGE = { prompt_tokens: 1_000_000, completion_tokens: 500_000 };

export interface Teacher {
  readonly person: Person;
  readonly tutor: { readonly id: number; readonly model: string };
  readonly helper: { readonly id: number; readonly model: string };
  /** One run that calls a tool and another assistant; tells its id. */
  ask(): Promise<string>;
}

/** Somebody whose assistant looks up the weather and asks another assistant, each on a model of its own. */
export async function aTeacher(
  { service, model }: TestService,
  { name = 'Tutor', ...facts }: PersonFacts & { readonly name?: string } = {},
): Promise<Teacher> {
  const [tutorModel, helperModel] = [uniqueName('tutor'), uniqueName('helper')];
  const prices = { [tutorModel]: { prompt: 2, completion: 4 } };
  const speaking = speakingTo(model) as { setups: { default: object } };
  const config = { setups: { default: { ...speaking.setups.default, prices, currency: 'EUR' } } };
  const person = await aPerson(service, { config, ...facts });
  const { key } = person;

  const helper = await service.createAssistant(
    { name: `${name}’s helper`, metadata: { _format_version: 2, connector: 'openai', llm: helperModel } },
    { key },
  );
  const tools = [
    { type: 'weather', mode: 'function' },
    { type: 'assistant', mode: 'function', config: { assistant_id: helper.id } },
  ];
  const tutor = await service.createAssistant(
    { name, metadata: { _format_version: 2, connector: 'openai', llm: tutorModel, tools } },
    { key },
  );
  await model.script(helperModel, [{ say: 'Take an umbrella.', usage: USAGE }], { repeat: true });

  return {
    person,
    tutor: { id: tutor.id, model: tutorModel },
    helper: { id: helper.id, model: helperModel },
    async ask() {
      const calls = [
        { name: 'get_weather', arguments: { city: 'Barcelona' } },
        { name: `call_assistant_${String(helper.id)}`, arguments: { query: 'What to take?' } },
      ];
      await model.script(tutorModel, [
        { call: calls, usage: USAGE, delayMs: 40 },
        { say: 'It rains.', usage: USAGE },
      ]);
      const { status, text, headers } = await service.chat(tutor.id, 'How is the weather?', { key });
      if (status !== 200) throw new Error(`No answer: ${String(status)} ${text}`);
      return headers.get('x-run-id') ?? '';
    },
  };
}
