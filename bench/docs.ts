import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { picturesOf } from './pictures.js';
import { comparisonTable, remarks, targetTable } from './report.js';
import type { Results } from './results.js';

const DOCS = new URL('../docs/', import.meta.url);
const IMAGES = new URL('images/', DOCS);

/** Puts the figures and pictures of a run into `docs/performance.md`, between the marks that wait for them. */
export async function writeDocs(results: Results): Promise<void> {
  const pictures = picturesOf(results);
  await mkdir(IMAGES, { recursive: true });
  for (const { file, svg } of pictures) await writeFile(new URL(file, IMAGES), svg);

  await fillPage('performance.md', {
    targets: [targetTable(results.targets), remarks(results)].filter((part) => part !== '').join('\n\n'),
    contenders: comparisonTable(results),
    pictures: pictures.map(({ file, alt }) => `![${alt}](images/${file})`).join('\n\n'),
    conditions: conditionsOf(results),
  });
}

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->` of a page in `docs/`. */
export async function fillPage(page: string, parts: Readonly<Record<string, string>>): Promise<void> {
  const file = fileURLToPath(new URL(page, DOCS));
  let text = await readFile(file, 'utf8');
  for (const [name, content] of Object.entries(parts)) {
    const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${page} has no place for ${name}.`);
    text = `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`;
  }
  await writeFile(file, text);
}

function conditionsOf({ command, date, node, cores, processor, pinned, peers }: Results): string {
  const versions = Object.entries(peers).map(([name, version]) => `${name} ${version}`);
  return [
    `Measured with \`${command}\` on ${date.slice(0, 10)}: Node ${node.slice(1)}, ${String(cores)} cores (${processor}), `,
    `${pinned ? 'pinned apart' : 'not pinned'}. Peers: ${versions.join(', ')}.`,
  ].join('');
}
