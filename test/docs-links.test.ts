import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { expect } from 'chai';
import { PROJECT_ROOT } from './support/child-process.js';

const LINKS = /\]\(([^)\s]+)\)|\b(?:src|srcset)="([^"]+)"/g;
const HEADINGS = /^#+ (.+)$/gm;

interface Link {
  readonly from: string;
  readonly to: string;
}

const read = (path: string): Promise<string> => readFile(join(PROJECT_ROOT, path), 'utf8');

const FOLDERS = ['.ci', '.github', 'agents', 'bench', 'db', 'docs', 'src', 'test', 'tools', 'web'];
/** A path from the root, as pages and pictures name one, up to where it has a gap to fill (`tools/<name>.ts`). */
const PATHS = /(?<![\w/.:@-])((?:agents|bench|db|docs|src|test|tools|web|\.ci|\.github)\/[\w./-]*)([<*{…]?)/g;
/** A file by its name alone, which the text around it places. */
const NAMES = /`([\w.-]+\.(?:ts|mjs|svelte|css))`/g;
/** Bundles, data and results that are made, not kept. */
const MADE = new Set(['bench/results/partial.json']);

/** Everything that is kept, from the root, folders too. */
async function keptPaths(): Promise<ReadonlySet<string>> {
  const found = await Promise.all(
    FOLDERS.map(async (folder) => {
      const entries = await readdir(join(PROJECT_ROOT, folder), { recursive: true }).catch(() => []);
      return [
        folder,
        ...entries.filter((path) => !path.includes('node_modules')).map((path) => join(folder, path)),
      ];
    }),
  );
  return new Set(found.flat());
}

/** For people: in the root, in docs and its folders, and one in each room. */
async function pages(): Promise<string[]> {
  const own = (await readdir(PROJECT_ROOT)).filter((name) => name.endsWith('.md'));
  const below = [...(await keptPaths())].filter(
    (path) => path.endsWith('.md') && !path.startsWith('bench/retrieval/'),
  );
  return [...own, ...below].filter((page) => /^[A-Z]+\.md$|^docs\/|\/README\.md$/.test(page));
}

/** What a page names; of its code only the pictures, since the rest are examples. */
function namedIn(text: string): string[] {
  const prose = text.replace(/^```(?!mermaid)[^]*?^```$/gm, '').replace(/<\/?br?\/?>/g, ' ');
  const examples = [...text.matchAll(/^```(?:ts|js)\n\/\/ (\S+)\n/gm)].map(([, path]) => path);
  const paths = [...prose.matchAll(PATHS)]
    .filter(([, path = '', gap]) => gap === '' || path.endsWith('/'))
    .map(([, path = '']) => path.replace(/[./]+$/, ''));
  const names = [...prose.matchAll(NAMES)].map(([, name = '']) => name);
  return [...paths, ...names].filter((name) => !examples.includes(name) && !MADE.has(name));
}

/** What a page leads to within the project, code left out. */
async function linksIn(page: string): Promise<Link[]> {
  const text = (await read(page)).replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
  return [...text.matchAll(LINKS)]
    .map(([, link, picture]) => link ?? picture ?? '')
    .filter((to) => !URL.canParse(to))
    .map((to) => ({ from: page, to }));
}

/** As GitHub makes them. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

async function leadsNowhere({ from, to }: Link): Promise<boolean> {
  const [path = '', anchor] = to.split('#');
  const file = path === '' ? from : join(dirname(from), path);
  const text = await read(file).catch(() => undefined);
  if (text === undefined) return true;
  const anchors = [...text.matchAll(HEADINGS)].map(([, heading = '']) => anchorOf(heading));
  return anchor !== undefined && file.endsWith('.md') && !anchors.includes(anchor);
}

describe('the links of the documentation', () => {
  it('lead to files and headings that are there', async () => {
    const links = (await Promise.all((await pages()).map(linksIn))).flat();

    const broken = [];
    for (const link of links) if (await leadsNowhere(link)) broken.push(`${link.from}: ${link.to}`);

    expect(links).to.have.length.greaterThan(50);
    expect(broken).to.deep.equal([]);
  });

  for (const [what, folder] of [
    ['picture that is kept', 'docs/images'],
    ['decision that was written down', 'docs/decisions'],
  ] as const) {
    it(`lead to every ${what}`, async () => {
      const links = (await Promise.all((await pages()).map(linksIn))).flat();
      const shown = new Set(links.map(({ from, to }) => relative(folder, join(dirname(from), to))));

      const kept = await readdir(join(PROJECT_ROOT, folder));

      expect(kept.filter((name) => !shown.has(name))).to.deep.equal([]);
    });
  }
});

describe('the pages of the documentation', () => {
  it('name no file and no folder that is not there', async () => {
    const kept = await keptPaths();
    const fileNames = new Set([...kept].map((path) => basename(path)));
    const named = await Promise.all(
      (await pages()).map(async (page) => namedIn(await read(page)).map((name) => ({ page, name }))),
    );

    const missing = named
      .flat()
      .filter(({ name }) => !(name.includes('/') ? kept : fileNames).has(name))
      .map(({ page, name }) => `${page}: ${name}`);

    expect(named.flat()).to.have.length.greaterThan(200);
    expect(missing).to.deep.equal([]);
  });
});
