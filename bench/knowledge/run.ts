import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LOAD_CORE, pinSelf } from '../processes.js';
import { conditions, writeResults } from '../results.js';
import type { AskingSettings } from './asking.js';
import { measureKnowledge } from './measure.js';
import { KNOWLEDGE_RESULTS, knowledgeTable, writeKnowledgeDocs } from './report.js';

/**
 * How fast passages are found and documents taken in, beside plain FTS5 and plain pgvector, at growing sizes.
 *
 *   npm run bench:knowledge -- [--sizes 1000,10000,100000] [--quick] [--write-docs]
 */

const SIZES = '1000,10000,100000';
const FULL: AskingSettings = { warmUps: 400, questions: 200, clients: 8, ms: 3_000 };
const QUICK: AskingSettings = { warmUps: 20, questions: 40, clients: 8, ms: 500 };

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string' },
    quick: { type: 'boolean', default: false },
    'write-docs': { type: 'boolean', default: false },
  },
});

// Whatever ends this ends what it has started.
process.once('SIGINT', () => process.exit(1)).once('SIGTERM', () => process.exit(1));

if (options['write-docs']) {
  await writeKnowledgeDocs();
} else {
  pinSelf(LOAD_CORE);
  const sizes = options.sizes ?? (options.quick ? '1000' : SIZES);
  const asking = options.quick ? QUICK : FULL;
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1_000);
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-knowledge-'));
  const found = await measureKnowledge({
    ...{ sizes: sizes.split(',').map(Number), asking, folder },
    say: (line) => process.stderr.write(`${line} (${String(seconds())} s)\n`),
  }).finally(() => rm(folder, { recursive: true, force: true }));
  const command = 'npm run bench:knowledge';
  const results = { command, ...conditions(), seconds: seconds(), asking, ...found };
  if (!options.quick && sizes === SIZES) await writeResults(KNOWLEDGE_RESULTS, results);
  process.stdout.write(`${knowledgeTable(results)}\n`);
}
