import { createHash } from 'node:crypto';
import type { AssistantContent } from '../core/assistants/assistant.js';
import type { Conversion } from '../core/assistants/history.js';
import { isRecord } from '../core/base/json.js';
import type { ScenarioContent } from '../core/scenarios/scenario.js';

const digest = (value: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex');

/** The order of keys says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}

/** What is asked and expected; its name and whether it is required do not make it another. */
export function scenarioHash({ messages, expect }: Pick<ScenarioContent, 'messages' | 'expect'>): string {
  return digest({ messages, expect });
}

/** Of all that are required; undefined where none is. */
export function requiredHash(
  scenarios: readonly { readonly id: number; readonly required: boolean; readonly hash: string }[],
): string | undefined {
  const required = scenarios.filter((scenario) => scenario.required);
  if (required.length === 0) return undefined;
  return digest(required.map(({ id, hash }) => `${String(id)} ${hash}`).sort());
}

/** Of what an author wrote, in whichever form it is stored; how it is tried, and what hangs on that, is no part of it. */
export function createContentHash(conversionOf: (content: AssistantContent) => Conversion) {
  const metadataOf = (content: AssistantContent) => {
    try {
      return conversionOf(content).after;
    } catch {
      return content.metadata;
    }
  };
  return (content: AssistantContent): string => {
    const { publish_gate: _gate, nightly_suite: _nightly, ...metadata } = metadataOf(content);
    const { name, description, systemPrompt, promptTemplate, ragCollections, ragTopK } = content;
    const { greeting, starters, avatar, tags } = content;
    return digest({
      ...{ name, description, systemPrompt, promptTemplate, ragCollections, ragTopK, metadata },
      ...{ greeting, starters, avatar, tags },
    });
  };
}

export type ContentHash = ReturnType<typeof createContentHash>;
