import { z } from 'zod';
import { safeLabel } from '../../core/base/text.js';

/** What somebody is asked to approve. All of it comes from models and authors: it is shown as data. */
export interface AskedCall {
  readonly assistant: string;
  /** By the name that people know it by. */
  readonly tool: string;
  readonly label: string;
  readonly args: Readonly<Record<string, unknown>>;
}

interface FormWords {
  asks(assistant: string, tool: string): string;
  readonly would: string;
  readonly given: string;
  more(characters: number): string;
  readonly otherwise: string;
  readonly allow: string;
}

const en: FormWords = {
  asks: (assistant, tool) => `The assistant “${assistant}” asks for your permission to use “${tool}”.`,
  would: 'What it would do',
  given: 'It would be given',
  more: (characters) => `… and ${String(characters)} more characters`,
  otherwise: 'Nothing is done unless you allow it.',
  allow: 'Allow it, this once',
};

const WORDS: ReadonlyMap<string, FormWords> = new Map([
  ['en', en],
  [
    'es',
    {
      asks: (assistant, tool) => `El asistente «${assistant}» te pide permiso para usar «${tool}».`,
      would: 'Qué haría',
      given: 'Recibiría',
      more: (characters) => `… y ${String(characters)} caracteres más`,
      otherwise: 'No se hace nada si no lo permites.',
      allow: 'Permitirlo, esta vez',
    },
  ],
  [
    'ca',
    {
      asks: (assistant, tool) => `L’assistent «${assistant}» et demana permís per fer servir «${tool}».`,
      would: 'Què faria',
      given: 'Rebria',
      more: (characters) => `… i ${String(characters)} caràcters més`,
      otherwise: 'No es fa res si no ho permets.',
      allow: 'Permet-ho, aquesta vegada',
    },
  ],
  [
    'eu',
    {
      asks: (assistant, tool) => `«${assistant}» laguntzaileak «${tool}» erabiltzeko baimena eskatzen dizu.`,
      would: 'Zer egingo lukeen',
      given: 'Zer jasoko lukeen',
      more: (characters) => `… eta beste ${String(characters)} karaktere`,
      otherwise: 'Ez da ezer egingo zuk onartu ezean.',
      allow: 'Onartu, oraingo honetan',
    },
  ],
]);

/** More than anybody reads before they answer. */
const MOST_SHOWN = 2_000;

/** A question as MCP puts it to people, in the first of the languages they read that there are words in. */
export function approvalForm(call: AskedCall, languages: readonly string[]) {
  const primary = languages.map((tag) => tag.split(/[-_]/)[0]?.toLowerCase() ?? '');
  const words = primary.map((language) => WORDS.get(language)).find((known) => known !== undefined) ?? en;
  const message = [
    words.asks(safeLabel(call.assistant), safeLabel(call.tool)),
    `${words.would}: ${safeLabel(call.label)}`,
    `${words.given}: ${shown(call.args, words)}`,
    words.otherwise,
  ].join('\n');
  const approve = { type: 'boolean' as const, title: words.allow };
  return {
    message,
    requestedSchema: { type: 'object' as const, properties: { approve }, required: ['approve'] },
  };
}

/** On one line and with nothing in it that cannot be seen: it could pass for words of ours, or hide some of its own. */
function shown(args: AskedCall['args'], words: FormWords): string {
  const json = JSON.stringify(args).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped);
  if (json.length <= MOST_SHOWN) return json;
  return `${json.slice(0, MOST_SHOWN).replace(/\p{Cs}$/u, '')} ${words.more(json.length - MOST_SHOWN)}`;
}

const escaped = (character: string) =>
  [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');

const Accepted = z.object({ action: z.literal('accept'), content: z.object({ approve: z.literal(true) }) });

/** Anything but a plain yes is a no. */
export const isApproved = (answer: unknown): boolean => Accepted.safeParse(answer).success;

const Answer = z.object({ action: z.enum(['accept', 'decline', 'cancel']) });

export const isAnswer = (answer: unknown): boolean => Answer.safeParse(answer).success;

const Declared = z.object({
  elicitation: z.looseObject({ form: z.unknown().optional(), url: z.unknown().optional() }),
});

/** One that names no mode means forms, as they were the only one at first. */
export function takesForms(capabilities: unknown): boolean {
  const declared = Declared.safeParse(capabilities);
  if (!declared.success) return false;
  const { form, url } = declared.data.elicitation;
  return form !== undefined || url === undefined;
}
