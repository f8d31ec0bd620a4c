import type { LanguageFn } from 'highlight.js';
import highlighter from 'highlight.js/lib/core';
import { sanitisedCode } from './sanitise.ts';

type Module = { readonly default: LanguageFn };

/** Each is fetched by those who see some of it. */
const LANGUAGES: Readonly<Record<string, () => Promise<Module>>> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  go: () => import('highlight.js/lib/languages/go'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  latex: () => import('highlight.js/lib/languages/latex'),
  matlab: () => import('highlight.js/lib/languages/matlab'),
  php: () => import('highlight.js/lib/languages/php'),
  python: () => import('highlight.js/lib/languages/python'),
  r: () => import('highlight.js/lib/languages/r'),
  rust: () => import('highlight.js/lib/languages/rust'),
  sql: () => import('highlight.js/lib/languages/sql'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
};
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...{ sh: 'bash', shell: 'bash', zsh: 'bash', h: 'c', 'c++': 'cpp', cs: 'csharp', 'c#': 'csharp' },
  ...{ js: 'javascript', jsx: 'javascript', ts: 'typescript', tsx: 'typescript', py: 'python' },
  ...{ html: 'xml', svg: 'xml', yml: 'yaml', kt: 'kotlin', tex: 'latex', rs: 'rust', golang: 'go' },
};
/** What is longer is read without colours: they would keep the browser busy. */
const LONGEST = 50_000;

/** A piece of code with its words marked by kind; undefined where its language is not known. */
export async function colourCode(code: string, named: string): Promise<DocumentFragment | undefined> {
  const name = named.toLowerCase();
  const language = Object.hasOwn(OTHER_NAMES, name) ? (OTHER_NAMES[name] ?? '') : name;
  if (code.length > LONGEST || !Object.hasOwn(LANGUAGES, language)) return undefined;
  await learn(language);
  const { value } = highlighter.highlight(code, { language, ignoreIllegals: true });
  const marked = sanitisedCode(value);
  // Colours must not change a letter of it.
  return marked.textContent === code ? marked : undefined;
}

async function learn(language: string): Promise<void> {
  if (highlighter.getLanguage(language)) return;
  const found = await LANGUAGES[language]?.();
  if (found) highlighter.registerLanguage(language, found.default);
}
