import { badRequest } from '../core/errors.js';
import { isNoDeeperThan } from '../core/base/json.js';
import type { ScenarioContent } from '../core/scenarios/scenario.js';

const DEEPEST = 20;

/** What a text in YAML says. Aliases are refused: a few lines of them stand for more than any machine holds. */
export async function readYaml(text: string): Promise<unknown> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, {
    ...{ lineCounter: lines, schema: 'core', uniqueKeys: true, strict: true, merge: false },
    ...{ prettyErrors: false, customTags: [] },
  });
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
export async function writeYaml(scenarios: readonly ScenarioContent[]): Promise<string> {
  const { stringify } = await import('yaml');
  const shown = scenarios.map(({ name, messages, expect, required }) => ({
    name,
    messages,
    expect,
    required,
  }));
  return stringify(shown, { aliasDuplicateObjects: false });
}
