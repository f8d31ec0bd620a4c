import { randomUUID } from 'node:crypto';
import type { TemplateLanguage } from '../../../src/core/assistants/template.js';
import { isRecord, type JsonRecord, parseStrictJson } from '../../../src/core/base/json.js';
import { withoutFence } from '../../../src/core/base/text.js';
import { notConfigured } from '../../../src/core/errors.js';
import type { JsonSchema } from '../../../src/core/json-schema.js';
import type { Message } from '../../../src/core/message.js';
import type { Sampling } from '../../../src/core/runs/model-choice.js';
import type { Settings } from '../../../src/core/runs/run-context.js';
import { type ChosenModel, chooseModel } from '../../models/choose-model.js';
import type { RunDeps } from '../prepare.js';

/** The organisation's usual model. What needs no provider is no model. */
export function usualModel(settings: Settings, { plugins: { connectors }, log }: RunDeps): ChosenModel {
  const setup = { type: 'classic', connector: undefined, model: undefined } as const;
  const usual = chooseModel(setup, settings, connectors, log);
  if (!usual.connector.provider) throw notConfigured('A language model');
  return usual;
}

/** What a model is asked to write, and what somebody said about it: that is material, whatever it says. */
export function draftingMessages(task: (mark: string) => string, material: string): readonly Message[] {
  // A name nobody can know beforehand: nothing inside can end the part it stands in.
  const mark = `material-${randomUUID().slice(0, 8)}`;
  return [
    { role: 'system', content: task(mark) },
    { role: 'user', content: `<${mark}>\n${material}\n</${mark}>` },
  ];
}

export function asJson(name: string, schema: JsonSchema): Sampling {
  return { response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } } };
}

/** Empty when it is none: then nothing in it can be used. */
export function objectIn(answer: string): JsonRecord {
  const json = parseStrictJson(withoutFence(answer));
  return json.ok && isRecord(json.value) ? json.value : {};
}

/** A text of several lines, without what nobody types, and no longer than so much. */
export function writtenText(value: unknown, longest: number): string {
  if (typeof value !== 'string') return '';
  const plain = value.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '');
  return plain
    .trim()
    .slice(0, longest)
    .replace(/\p{Cs}$/u, '');
}

export const LANGUAGE_NAMES: Readonly<Record<TemplateLanguage, string>> = {
  en: 'English',
  es: 'Spanish',
  ca: 'Catalan',
  eu: 'Basque',
};
