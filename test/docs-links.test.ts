import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { expect } from 'chai';
import { PROJECT_ROOT } from './support/child-process.js';

const LINKS = /\]\(([^)\s]+)\)|\b(?:src|srcset)="([^"]+)"/g;
const HEADINGS = /^#+ (.+)$/gm;

interface Link {
  readonly from: string;
  readonly to: string;
}

const read = (path: string): Promise<string> => readFile(join(PROJECT_ROOT, path), 'utf8');

async function pages(): Promise<string[]> {
  const names = await readdir(join(PROJECT_ROOT, 'docs'));
  return ['README.md', ...names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];
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

  it('lead to every picture that is kept', async () => {
    const links = (await Promise.all((await pages()).map(linksIn))).flat();
    const shown = new Set(links.map(({ from, to }) => relative('docs/images', join(dirname(from), to))));

    const kept = await readdir(join(PROJECT_ROOT, 'docs/images'));

    expect(kept.filter((name) => !shown.has(name))).to.deep.equal([]);
  });
});
