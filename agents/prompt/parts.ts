import type { FunctionSpec } from '../../src/core/connector.js';
import { lastUserText, type Message, textOf } from '../../src/core/message.js';
import type { Composition } from '../../src/core/processor.js';
import { parseTemplate } from './compose.js';

/** One thing that takes room in what the model reads, and the text it takes it with. */
export interface PromptPart {
  readonly part:
    'system_prompt' | 'teaching' | 'history' | 'template' | 'placeholder' | 'user_input' | 'function';
  /** Of a placeholder or a function. */
  readonly name?: string;
  readonly text: string;
}

type Composed = Pick<Composition, 'assistant' | 'chat' | 'contexts' | 'knownPlaceholders' | 'functions'> & {
  readonly messages: readonly Message[];
  /** What the service itself says of how to teach. */
  readonly teaching?: string | undefined;
};

/** What the prompt is made of. What is empty is left out, but for placeholders: that one stays empty is news. */
export function promptParts({
  messages,
  functions,
  teaching = '',
  ...composition
}: Composed): readonly PromptPart[] {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const textOfAll = (isPart: (message: Message, i: number) => boolean) =>
    messages
      .filter(isPart)
      .map(({ content }) => textOf(content))
      .join('\n\n');
  const instructions = textOfAll(({ role }) => role === 'system');
  const parts: PromptPart[] = [
    { part: 'system_prompt', text: without(teaching, instructions) },
    { part: 'teaching', text: teaching },
    { part: 'history', text: textOfAll(({ role }, i) => role !== 'system' && i !== asked) },
    ...partsOfTemplate(composition),
    ...functions.map((spec) => ({ part: 'function' as const, name: spec.name, text: textOfFunction(spec) })),
  ];
  return parts.filter(({ part, text }) => part === 'placeholder' || text !== '');
}

/** Rules of teaching end the instructions, and are a part of their own. */
function without(teaching: string, instructions: string): string {
  return teaching === '' ? instructions : instructions.replace(teaching, () => '').trimEnd();
}

function textOfFunction(spec: FunctionSpec): string {
  return JSON.stringify(spec);
}

/** The template's own words, what each placeholder put in wherever it is named, and what the user said. */
function partsOfTemplate({
  assistant,
  chat,
  contexts,
  knownPlaceholders,
}: Omit<Composed, 'messages' | 'functions' | 'teaching'>): readonly PromptPart[] {
  const inserted = new Map<string, string>();
  let words = '';
  let said = '';
  for (const piece of parseTemplate(assistant.promptTemplate)) {
    if ('text' in piece) words += piece.text;
    else if (piece.placeholder === 'user_input') said += lastUserText(chat);
    else if (contexts.has(piece.placeholder) || knownPlaceholders.has(piece.placeholder)) {
      const { placeholder: name } = piece;
      inserted.set(name, (inserted.get(name) ?? '') + (contexts.get(name) ?? []).join('\n\n'));
    } else words += `{${piece.placeholder}}`;
  }
  return [
    { part: 'template', text: words },
    ...[...inserted].map(([name, text]) => ({ part: 'placeholder' as const, name, text })),
    { part: 'user_input', text: said === '' ? lastUserText(chat) : said },
  ];
}
