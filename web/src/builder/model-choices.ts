import type { AssistantMetadata } from '../assistants/assistants-api.ts';
import type { Messages } from '../i18n/en.ts';
import { ownEntry } from '../i18n/own-entry.ts';
import type { Catalogue, ConnectorFacts } from './builder-api.ts';

/** One line of the list: who answers, in words. */
export interface ModelChoice {
  readonly value: string;
  readonly text: string;
  /** Nobody has set it up here. */
  readonly isOff: boolean;
}

export interface ModelGroup {
  readonly title: string;
  readonly choices: readonly ModelChoice[];
}

/** Other names of the same provider, and what only shows the prompt: for whoever asked for them by name. */
const UNASKED = ['openai_tool_use', 'openai_tools', 'bypass'];
const BETWEEN = ' ';

export const valueOf = (connector = '', model = ''): string =>
  connector === '' && model === '' ? '' : `${connector}${BETWEEN}${model}`;

/** What to store for a line; undefined is not stored. */
export function chosenBy(value: string): { connector: string | undefined; llm: string | undefined } {
  const at = value.indexOf(BETWEEN);
  const [connector, llm] = at < 0 ? [value, ''] : [value.slice(0, at), value.slice(at + 1)];
  return { connector: connector || undefined, llm: llm || undefined };
}

export const providerName = ({ name, title }: Pick<ConnectorFacts, 'name' | 'title'>, t: Messages): string =>
  ownEntry(t.tools.providers, name) ?? title;

/** What somebody can choose from besides their organisation's choice: those that answer, then those that do not yet. */
export function modelGroups(
  { connectors }: Pick<Catalogue, 'connectors'>,
  { connector: chosen, llm }: AssistantMetadata,
  t: Messages,
): readonly ModelGroup[] {
  const offered = Object.values(connectors).filter(({ name }) => !UNASKED.includes(name) || name === chosen);
  const ready = offered.filter(({ configured, name }) => configured || name === chosen);
  const missing = offered.filter((each) => !ready.includes(each));
  const unknown = chosen !== undefined && !Object.hasOwn(connectors, chosen) ? [chosen] : [];
  return [
    ...ready.map((facts) => ({
      title: providerName(facts, t),
      choices: choicesOf(facts, facts.name === chosen ? llm : undefined, t),
    })),
    ...unknown.map((name) => ({
      title: t.builder.model.unknown,
      choices: [{ value: valueOf(name, llm), text: t.builder.model.unknown, isOff: false }],
    })),
    {
      title: t.builder.model.missing,
      choices: missing.map((facts) => ({
        ...{ value: valueOf(facts.name), text: providerName(facts, t), isOff: true },
      })),
    },
  ].filter(({ choices }) => choices.length > 0);
}

/** One that is stored stays to be seen, whether or not it is still offered. */
function choicesOf(facts: ConnectorFacts, stored: string | undefined, t: Messages): readonly ModelChoice[] {
  const { name, available_llms } = facts;
  const provider = providerName(facts, t);
  const models = [...new Set([...available_llms, ...(stored === undefined ? [] : [stored])])];
  // The demo and the like have one model, which has no name that says anything.
  if (available_llms.length === 1 && available_llms[0] === name)
    return [{ value: valueOf(name, stored), text: provider, isOff: false }];
  return [
    { value: valueOf(name), text: t.builder.model.usual(provider), isOff: false },
    ...models.map((model) => ({ value: valueOf(name, model), text: `${provider}: ${model}`, isOff: false })),
  ];
}
