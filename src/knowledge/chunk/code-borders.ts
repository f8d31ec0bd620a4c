import { createRequire } from 'node:module';
import type * as splitters from '@langchain/textsplitters';

type Language = Parameters<typeof splitters.RecursiveCharacterTextSplitter.getSeparatorsForLanguage>[0];

const NAMES: Readonly<Record<string, Language>> = {
  'c++': 'cpp',
  c: 'cpp',
  cc: 'cpp',
  cpp: 'cpp',
  go: 'go',
  java: 'java',
  javascript: 'js',
  js: 'js',
  php: 'php',
  py: 'python',
  python: 'python',
  rb: 'ruby',
  rs: 'rust',
  ruby: 'ruby',
  rust: 'rust',
  scala: 'scala',
  swift: 'swift',
  ts: 'js',
  tsx: 'js',
  typescript: 'js',
};

/** With what a line begins before which code of this language is best cut. */
export function codeBorders(language: string): readonly string[] {
  const name = NAMES[language];
  if (name === undefined) return [];
  // Takes a while to load, and few documents have code too long for one passage.
  const { RecursiveCharacterTextSplitter } = createRequire(import.meta.url)(
    '@langchain/textsplitters',
  ) as typeof splitters;
  return RecursiveCharacterTextSplitter.getSeparatorsForLanguage(name)
    .filter((separator) => separator.startsWith('\n') && separator.trim() !== '')
    .map((separator) => separator.slice(1));
}
