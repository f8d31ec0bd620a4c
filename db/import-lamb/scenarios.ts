import { SCENARIO_LIMITS, ScenarioContent } from '../../src/core/scenarios/scenario.js';
import { isRecord } from '../metadata/json.js';
import { createScenarioStore } from '../stores/scenarios/scenarios.js';
import { type Kind, ofTable, skipped } from './kind.js';
import { newIdOf } from './memory.js';
import { integerOf, textOf, wordsOf } from './values.js';

/** LAMB's test scenarios: what it says in words of the answer, a judge looks for here. Their runs stay behind. */
export const scenarios: Kind = {
  name: 'scenario',
  title: 'test scenarios',
  ...ofTable('assistant_test_scenarios'),
  idOf: (row) => wordsOf(row['id']),
  exampleOf: (row) => wordsOf(row['title']) ?? `scenario ${wordsOf(row['id']) ?? '?'}`,

  async importRow(row, ctx) {
    const assistantId = await newIdOf(ctx, 'assistant', integerOf(row['assistant_id']));
    if (assistantId === undefined) return skipped('its assistant did not come over');
    const said = messagesIn(textOf(row['messages']));
    if (!said) return skipped('its messages are no list that can be read');
    const asked = said.filter(({ role }) => role === 'user');
    if (asked.length === 0) return skipped('it asks nothing');
    const expected = wordsOf(row['expected_behavior']);
    if (expected === undefined) return skipped('it says nothing of what is expected');

    const content = ScenarioContent.safeParse({
      ...{ name: wordsOf(row['title']) ?? wordsOf(row['id']), messages: asked },
      expect: [{ judged: expected }],
    });
    if (!content.success) return skipped('it is too long for a scenario, or not all of it is text');
    const hashed = { ...content.data, hash: ctx.scenarioHash(content.data) };
    const store = createScenarioStore(ctx.trx);
    const made = await store.add(assistantId, [hashed], SCENARIO_LIMITS.ofAssistant);
    if (made === 'too many') return skipped('its assistant has as many scenarios as it can have');
    if (asked.length < said.length)
      ctx.remark('what the assistant said in it was left out: answers are asked for anew');
    return { imported: made[0]?.id ?? '' };
  },
};

interface Message {
  readonly role: unknown;
  readonly content: unknown;
}

function messagesIn(text: string | undefined): readonly Message[] | undefined {
  const list = parsed(text ?? '');
  if (!Array.isArray(list) || !list.every(isRecord)) return undefined;
  return list.map(({ role, content }) => ({ role, content }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
