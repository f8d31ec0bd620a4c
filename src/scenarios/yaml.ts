import { LineCounter, parseDocument, stringify } from 'yaml';
import { badRequest } from '../core/errors.js';
import { isNoDeeperThan } from '../core/base/json.js';
import type { ScenarioContent } from '../core/scenarios/scenario.js';

const DEEPEST = 20;

/** What a text in YAML says. Aliases are refused: a few lines of them stand for more than any machine holds. */
export function readYaml(text: string): unknown {
  const lines = new LineCounter();
  const document = parsed(text, lines);
  const [fault] = document.errors;
  if (fault) {
    const { line, col } = lines.linePos(fault.pos[0]);
    throw badRequest(
      `The YAML cannot be read at line ${String(line)}, column ${String(col)}: ${fault.message}`,
    );
  }
  const value = withoutAliases(() => document.toJS({ maxAliasCount: 0 }) as unknown);
  if (!isNoDeeperThan(value, DEEPEST))
    throw badRequest(`The YAML nests deeper than ${String(DEEPEST)} levels.`);
  return value;
}

function parsed(text: string, lineCounter: LineCounter) {
  try {
    return parseDocument(text, {
      ...{ lineCounter, schema: 'core', uniqueKeys: true, strict: true, merge: false, prettyErrors: false },
    });
  } catch {
    // It goes down as deep as the text does, until there is no room left.
    throw badRequest('The YAML cannot be read: it nests too deep.');
  }
}

function withoutAliases<Value>(read: () => Value): Value {
  try {
    return read();
  } catch {
    throw badRequest(
      'The YAML uses anchors and aliases, which are not taken. Write out what they stand for.',
    );
  }
}

/** A list that can be sent back as it is. */
export function writeYaml(scenarios: readonly ScenarioContent[]): string {
  const shown = scenarios.map(({ name, messages, expect, required }) => ({
    name,
    messages,
    expect,
    required,
  }));
  return stringify(shown, { aliasDuplicateObjects: false });
}
