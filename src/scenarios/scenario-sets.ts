import type { TemplateLanguage } from '../core/assistants/template.js';
import type { ScenarioContent } from '../core/scenarios/scenario.js';
import type { ReadyMadeScenario, ReadyMadeSet, SetTexts } from './ready-made/set.js';

/** In the order that they are shown in. They are read by whoever asks for them first, and by no start of the service. */
const READY_MADE: ReadonlyMap<string, () => Promise<ReadyMadeSet>> = new Map([
  ['adversarial', async () => (await import('./ready-made/adversarial.js')).adversarial],
  ['pedagogy', async () => (await import('./ready-made/pedagogy.js')).pedagogy],
]);

export interface SetFace extends SetTexts {
  readonly id: string;
}

/** What scenarios there are for the taking. */
export function listScenarioSets(language: TemplateLanguage): Promise<readonly SetFace[]> {
  return Promise.all([...READY_MADE].map(async ([id, read]) => ({ id, ...(await read()).texts[language] })));
}

interface Wish {
  readonly language: TemplateLanguage;
  /** Whether the assistant looks into documents. */
  readonly hasDocuments: boolean;
}

/** Those of a set that fit an assistant; undefined where there is no such set. */
export async function openScenarioSet(
  id: string,
  { language, hasDocuments }: Wish,
): Promise<readonly ScenarioContent[] | undefined> {
  const set = await READY_MADE.get(id)?.();
  return set?.scenarios
    .filter(({ ofDocuments }) => hasDocuments || ofDocuments === undefined)
    .map((scenario) => contentOf(scenario, language));
}

function contentOf({ texts, expect }: ReadyMadeScenario, language: TemplateLanguage): ScenarioContent {
  const { name, messages, judged } = texts[language];
  return {
    name,
    messages: messages.map((content) => ({ role: 'user', content })),
    expect: [...expect(language), ...(judged === undefined ? [] : [{ judged }])],
    required: true,
  };
}
