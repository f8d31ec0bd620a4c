import { isNoDeeperThan } from '../core/base/json.js';
import { badRequest, unavailable } from '../core/errors.js';
import type { ScenarioContent } from '../core/scenarios/scenario.js';
import { askThread } from './thread.js';

export type YamlWish = { readonly text: string } | { readonly list: readonly object[] };
export type YamlAnswer = { readonly value: unknown } | { readonly fault: string } | { readonly text: string };

const WITHIN_MS = 10_000;
const DEEPEST = 20;

const ask = (wish: YamlWish) => askThread<YamlAnswer>('src/scenarios/yaml-worker.js', wish, WITHIN_MS);

/** What a text in YAML says. */
export async function readYaml(text: string): Promise<unknown> {
  const answer = await ask({ text });
  if (!answer || !('value' in answer))
    throw badRequest(
      answer && 'fault' in answer ? answer.fault : 'The YAML takes too long to read. Send less at a time.',
    );
  if (!isNoDeeperThan(answer.value, DEEPEST))
    throw badRequest(`The YAML nests deeper than ${String(DEEPEST)} levels.`);
  return answer.value;
}

/** A list that can be sent back as it is. */
export async function writeYaml(scenarios: readonly ScenarioContent[]): Promise<string> {
  const list = scenarios.map(({ name, messages, expect, required }) => ({
    name,
    messages,
    expect,
    required,
  }));
  const answer = await ask({ list });
  if (!answer || !('text' in answer)) throw unavailable('The scenarios could not be written as YAML.');
  return answer.text;
}
