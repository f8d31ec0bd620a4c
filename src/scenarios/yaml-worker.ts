import { parentPort, workerData } from 'node:worker_threads';
import { LineCounter, parseDocument, stringify } from 'yaml';
import type { YamlAnswer, YamlWish } from './yaml.js';

/** The other side of `yaml.ts`, on a thread of its own. */

const wish = workerData as YamlWish;
parentPort?.postMessage('begun');
parentPort?.postMessage('text' in wish ? read(wish.text) : { text: write(wish.list) });

/** Aliases are refused: a few lines of them stand for more than any machine holds. */
function read(text: string): YamlAnswer {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, schema: 'core', merge: false, prettyErrors: false });
  const [fault] = document.errors;
  if (fault) {
    const { line, col } = lineCounter.linePos(fault.pos[0]);
    return {
      fault: `The YAML cannot be read at line ${String(line)}, column ${String(col)}: ${fault.message}`,
    };
  }
  try {
    return { value: document.toJS({ maxAliasCount: 0 }) as unknown };
  } catch {
    return {
      fault: 'The YAML uses anchors and aliases, which are not taken. Write out what they stand for.',
    };
  }
}

function write(list: readonly object[]): string {
  return stringify(list, { aliasDuplicateObjects: false });
}
