import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { PROJECT_ROOT } from '../../support/child-process.js';

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

const SIGHTS = [
  { colorScheme: 'dark', width: 390 },
  { colorScheme: 'light', width: 1200 },
] as const;
type Sights = readonly (typeof SIGHTS)[number][];

/** Style sheets are loaded for rules that are experiments, and selectors are shown nowhere. */
const OPTIONS = "{ resultTypes: ['violations'], preload: { assets: ['media'] }, selectors: false }";

let axe: Promise<string> | undefined;

/** What axe finds wrong with a document as it is now. */
export async function axeFaults(frame: Frame): Promise<string[]> {
  axe ??= readFile(join(PROJECT_ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8');
  if (await frame.evaluate<boolean>("typeof axe === 'undefined'")) await frame.evaluate(await axe);
  const violations = await frame.evaluate<Violation[]>(
    `axe.run(${OPTIONS}).then(({ violations }) => violations)`,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** What axe finds wrong with a page as it is now, in both themes, in a hand and on a desk. */
export const faultsInBothThemes = (page: Page): Promise<string[]> => faultsIn(page, SIGHTS);

/**
 * The same, for many looks at one page that is on a desk: each begins with the sight that the one before has ended
 * with, as a page is laid out and painted anew for another.
 */
export function looksInBothThemes(page: Page): () => Promise<string[]> {
  let next: Sights = SIGHTS;
  return () => {
    next = next.toReversed();
    return faultsIn(page, next);
  };
}

async function faultsIn(page: Page, sights: Sights): Promise<string[]> {
  const seen: string[] = [];
  for (const { colorScheme, width } of sights) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    seen.push(...(await axeFaults(page.mainFrame())).map((fault) => `${page.url()} ${fault}`));
  }
  return seen;
}
