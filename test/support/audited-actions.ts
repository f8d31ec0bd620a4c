import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type typescript from 'typescript';
import { PROJECT_ROOT } from './child-process.js';

// An import would first look for its exports, in nine megabytes of code, which takes half as long as all that is done.
const ts = createRequire(import.meta.url)('typescript') as typeof typescript;

const FOLDERS = ['src', 'agents'];
const OPTIONS = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

interface Source {
  readonly path: string;
  readonly text: string;
}

/**
 * Every action that can stand in the audit, read from the sources: what is given as `action`, by that name or by
 * position to whatever has a parameter of that name. Where a part is filled in, it stands as `*`.
 */
export function auditedActions(): readonly string[] {
  const sources = FOLDERS.flatMap(sourcesIn).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  // To parse all of them takes seconds, and most never speak of one.
  const [speaking, others] = [true, false].map((speaks) =>
    sources.filter(({ text }) => /\baction\b/.test(text) === speaks),
  ) as [Source[], Source[]];
  const own = speaking.map(parsed);
  // What is made by a function and handed out under another name.
  const takers = new Map([['guarded', 0], ...own.flatMap((file) => [...takersIn(file)])]);
  const called = new RegExp(`\\b(?:${[...takers.keys()].join('|')})\\(`);
  const files = [...own, ...others.filter(({ text }) => called.test(text)).map(parsed)];
  // A name means first what it means in its own file.
  const found = files.flatMap((file) => actionsIn(file, new Map([...takers, ...takersIn(file)])));
  return [...new Set(found)].sort();
}

function sourcesIn(folder: string): string[] {
  const all = readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' });
  return all.filter((path) => path.endsWith('.ts')).map((path) => join(PROJECT_ROOT, folder, path));
}

const parsed = ({ path, text }: Source): typescript.SourceFile =>
  ts.createSourceFile(path, text, OPTIONS, true);

/** Names of functions with a parameter `action`, and which one it is. */
function takersIn(file: typescript.SourceFile): Map<string, number> {
  const takers = new Map<string, number>();
  walk(file, (node) => {
    if (!ts.isFunctionLike(node)) return;
    const at = node.parameters.findIndex(({ name }) => name.getText() === 'action');
    const name = at < 0 ? undefined : nameOf(node);
    if (name !== undefined) takers.set(name, at);
  });
  return takers;
}

function nameOf(node: typescript.SignatureDeclaration): string | undefined {
  if (node.name) return node.name.getText();
  const { parent } = node;
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)
    ? parent.name.getText()
    : undefined;
}

function actionsIn(file: typescript.SourceFile, takers: ReadonlyMap<string, number>): string[] {
  const found: string[] = [];
  walk(file, (node) => {
    const isNamed =
      (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) && node.name.getText() === 'action';
    if (isNamed && node.initializer) found.push(...textsOf(node.initializer));
    if (!ts.isCallExpression(node)) return;
    const called = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
    const given = node.arguments[takers.get(called.getText()) ?? -1];
    if (given) found.push(...textsOf(given));
  });
  return found;
}

function textsOf(node: typescript.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  if (!ts.isTemplateExpression(node)) return [];
  return [node.head.text + node.templateSpans.map(({ literal }) => `*${literal.text}`).join('')];
}

function walk(node: typescript.Node, look: (node: typescript.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => {
    walk(child, look);
  });
}
