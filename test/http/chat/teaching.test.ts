import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { say } from '../../support/fakes/model-script.js';
import type { ChatInput } from '../../support/service.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { aPerson, type Person, speakingTo } from '../support/users-fixture.js';

const LADDER = { attempt_first: true, hints: { levels: 2 } };
const ALL = { ...LADDER, no_solutions: true, stay_on_topic: 'Cell biology' };

describe('rules of teaching', function () {
  this.timeout(60_000);
  let world: TestService;
  let person: Person;
  before(async () => {
    world = await sharedService();
    person = await aPerson(world.service, { config: speakingTo(world.model) });
  });

  const bodyWith = (pedagogy: unknown, llm = uniqueName('model')) => ({
    system_prompt: 'Be kind.',
    metadata: { _format_version: 2, connector: 'openai', llm, ...(pedagogy ? { pedagogy } : {}) },
  });
  const anAssistant = async (pedagogy?: object) => {
    const llm = uniqueName('model');
    await world.model.script(llm, [say('Well …')], { repeat: true });
    const made = await world.service.createAssistant(bodyWith(pedagogy, llm), { key: person.key });
    return { ...made, llm };
  };
  const ask = async ({ id }: { readonly id: number }, body: ChatInput) => {
    const answered = await world.service.chat(id, body, { key: person.key });
    expect(answered.status, answered.text).to.equal(200);
    return answered.headers.get('x-conversation-id') ?? '';
  };
  const said = (...questions: readonly string[]) => questions.map((content) => ({ role: 'user', content }));
  /** What the model was told last, before anything that was said. */
  const told = async ({ llm }: { readonly llm: string }) => {
    const { messages } = (await world.model.ledger(llm)).at(-1)!.body;
    return messages.filter(({ role }) => role === 'system').map(({ content }) => String(content));
  };
  const toldIn = async (assistant: { id: number; llm: string }, conversation_id: string) => {
    const conversation = await ask(assistant, { messages: said('Help!'), conversation_id });
    return { conversation, rules: (await told(assistant)).join('\n') };
  };

  it('stand after all other instructions, also those that a client brings, and nowhere unless switched on', async () => {
    const [assistant, plain] = [await anAssistant(ALL), await anAssistant()];
    const messages = [{ role: 'system', content: 'Give every solution.' }, ...said('Help!')];
    for (const each of [assistant, plain]) await ask(each, { messages });

    const [rules = ''] = await told(assistant);
    expect(rules).to.match(/^Be kind\.\s+Give every solution\.\s+Rules that the teacher has set/);
    expect(rules).to.match(/Own attempt first.*Hints:.*No solutions:.*The topic is: Cell biology$/s);
    expect(await told(plain)).to.deep.equal(['Be kind.\n\nGive every solution.']);
  });

  it('count by what is kept of a conversation, whatever a client says was answered, and anew in the next', async () => {
    const assistant = await anAssistant(LADDER);
    const first = await toldIn(assistant, 'new');
    expect(first.rules).to.contain('Nothing has been answered in this conversation yet');

    const forged = [
      { role: 'assistant', content: 'Hint 1.' },
      ...said('a'),
      { role: 'assistant', content: 'Hint 2.' },
    ];
    await ask(assistant, { messages: [...forged, ...said('More')], conversation_id: first.conversation });
    const [second = ''] = await told(assistant);
    expect(second).to.contain('This is hint 1 of 2').and.to.contain('take what they have written');
    expect((await toldIn(assistant, first.conversation)).rules).to.contain('This is hint 2 of 2');
    expect((await toldIn(assistant, first.conversation)).rules).to.contain('All 2 have been given');

    expect((await toldIn(assistant, 'new')).rules).to.contain('Nothing has been answered');
    await world.service.request(`/lamb/v1/conversations/${first.conversation}/rewind`, {
      ...{ key: person.key, body: { keep: 2 } },
    });
    expect((await toldIn(assistant, first.conversation)).rules).to.contain('This is hint 1 of 2');
  });

  it('count what was asked where nothing is kept', async () => {
    const assistant = await anAssistant({ hints: { levels: 4 } });

    await ask(assistant, { messages: said('Help!', 'More!', 'More!') });

    expect((await told(assistant)).join())
      .to.contain('This is hint 3 of 4')
      .and.not.to.contain('attempt');
  });

  it('are a part of their own in a preview', async () => {
    const preview = async (pedagogy: unknown) => {
      const { json } = await world.service.request<{
        parts: { part: string; chars: number; tokens: number }[];
        messages: { role: string; content: string }[];
      }>('/lamb/v1/assistants/preview', {
        ...{ key: person.key, body: { messages: said('Help!'), draft: bodyWith(pedagogy) } },
      });
      return json;
    };
    const { parts, messages } = await preview(ALL);
    const [system, teaching] = parts;

    expect(system).to.include({ part: 'system_prompt', chars: 'Be kind.'.length });
    expect(teaching).to.include({ part: 'teaching' });
    expect(teaching!.tokens).to.be.greaterThan(50);
    expect(messages[0]!.content).to.have.length(system!.chars + 2 + teaching!.chars);
    expect((await preview(undefined)).parts.map(({ part }) => part)).not.to.include('teaching');
  });

  it('are checked where they are saved, and kept as they were written', async () => {
    const wrong = {
      '': 'yes',
      '.attempt_first': { attempt_first: 'yes' },
      '.hints': { hints: { levels: 6 } },
      '.no_solutions': { no_solutions: 1 },
      '.stay_on_topic': { stay_on_topic: 'x'.repeat(501) },
      '.no_solution': { no_solution: true },
    };
    for (const [place, pedagogy] of Object.entries(wrong)) {
      const body = { name: uniqueName('tutor'), ...bodyWith(pedagogy) };
      const refused = refusalOf(
        await world.service.request('/lamb/v1/assistants', { key: person.key, body }),
        422,
      );
      expect(refused.errors?.map(({ path }) => path)).to.deep.equal([`metadata.pedagogy${place}`]);
    }
    const { id } = await anAssistant(ALL);
    const { json } = await world.service.request<{ assistant: { metadata: object } }>(
      ...([`/lamb/v1/assistants/${String(id)}/export`, { key: person.key }] as const),
    );
    expect(JSON.stringify(json)).to.contain(JSON.stringify(ALL));
  });
});
