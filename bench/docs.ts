import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { significant } from './pictures/charts.js';
import { picturesOf } from './pictures/pictures.js';
import {
  comparisonTable,
  nodeTable,
  partsTable,
  reasonList,
  remarks,
  shapeTable,
  systemCallTable,
  targetTable,
} from './report.js';
import type { Results } from './results.js';

const DOCS = new URL('../docs/', import.meta.url);
const IMAGES = new URL('images/', DOCS);

const NOT_MEASURED = 'The last full run did not measure this.';

/** Puts the figures and pictures of a run into `docs/performance.md`, between the marks that wait for them. */
export async function writeDocs(results: Results): Promise<void> {
  const pictures = picturesOf(results);
  await mkdir(IMAGES, { recursive: true });
  for (const { file, svg } of pictures) await writeFile(new URL(file, IMAGES), svg);

  await fillPage('performance.md', {
    targets: [targetTable(results.targets), remarks(results), reasonList(results.targets)]
      .filter((part) => part !== '')
      .join('\n\n'),
    contenders: comparisonTable(results),
    shapes: shapeTable(results) || NOT_MEASURED,
    parts: partsTable(results) || NOT_MEASURED,
    'system-calls': systemCallTable(results) || NOT_MEASURED,
    'node-24': nodeTable(results) || NOT_MEASURED,
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

function conditionsOf({
  command,
  date,
  seconds,
  stolen = 0,
  node,
  cores,
  processor,
  pinned,
  peers,
}: Results): string {
  const versions = Object.entries(peers).map(([name, version]) => `${name} ${version}`);
  const told =
    stolen < 0.005 ? '' : `; ${significant(100 * stolen)} % of the machine went to others of its host`;
  const took = seconds === undefined ? '' : ` in ${String(Math.round(seconds / 60))} minutes`;
  return [
    `Measured with \`${command}\` on ${date.slice(0, 10)}${took}: Node ${node.slice(1)}, ${String(cores)} cores (${processor}), `,
    `${pinned ? 'pinned apart' : 'not pinned'}${told}. Peers: ${versions.join(', ')}.`,
  ].join('');
}
