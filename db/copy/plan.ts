import { badRequest } from '../../src/core/errors.js';
import { type Kind, kindOf } from './cells.js';
import { NOT_COPIED } from './derived.js';
import type { FoundTable } from './tables.js';

export interface CopyColumn {
  readonly name: string;
  readonly kind: Kind;
}

/** A table as one of the two databases has it: the same columns in the same order on both sides. */
export interface CopyTable {
  readonly name: string;
  readonly columns: readonly CopyColumn[];
  /** What its rows are told apart and put in order by. */
  readonly key: readonly CopyColumn[];
}

export interface CopyPair {
  readonly name: string;
  readonly source: CopyTable;
  readonly target: CopyTable;
}

type Tables = ReadonlyMap<string, FoundTable>;

/** What is to be copied, tables that others refer to first. Throws when the two do not fit together. */
export function planCopy(
  source: Tables,
  target: Tables,
  leftOut: readonly string[] = [],
): readonly CopyPair[] {
  const isLeftOut = (name: string) => name in NOT_COPIED || leftOut.includes(name);
  const names = new Set([...source.keys(), ...target.keys()].filter((name) => !isLeftOut(name)));
  const faults: string[] = [];
  const pairs = [...names].sort().flatMap((name) => {
    const [from, to] = [source.get(name), target.get(name)];
    if (from && to) return pairOf(from, to, faults);
    faults.push(`the table ${name} is only in the ${from ? 'source' : 'target'}`);
    return [];
  });
  if (faults.length > 0)
    throw badRequest(
      `The two databases do not fit together: ${faults.join('; ')}. Nothing was copied. ` +
        'Tables of other programs belong into a schema or a database of their own.',
    );
  return parentsFirst(pairs, source);
}

function pairOf(from: FoundTable, to: FoundTable, faults: string[]): CopyPair[] {
  const { name } = from;
  const columns = new Set(
    [...from.columns.keys(), ...to.columns.keys()].filter((each) => isCopied(name, each)),
  );
  const [source, target] = [from, to].map((table) => sideOf(table, [...columns].sort(), faults));
  if (!source || !target) return [];
  source.columns.forEach((column, i) => {
    const other = target.columns[i];
    if (other && column.kind !== other.kind)
      faults.push(`${name}.${column.name} is ${column.kind} in one and ${other.kind} in the other`);
  });
  return [{ name, source, target }];
}

const isCopied = (table: string, column: string) => !(`${table}.${column}` in NOT_COPIED);

function sideOf(table: FoundTable, names: readonly string[], faults: string[]): CopyTable | undefined {
  const before = faults.length;
  const columns = names.flatMap((name) => {
    const type = table.columns.get(name);
    const kind = type === undefined ? undefined : kindOf(type);
    if (kind) return [{ name, kind }];
    const fault =
      type === undefined ? 'is missing on one side' : `has a type that is not known here (${type})`;
    faults.push(`${table.name}.${name} ${fault}`);
    return [];
  });
  const key = table.key.flatMap((name) => columns.find((column) => column.name === name) ?? []);
  if (key.length === 0 || key.some(({ kind }) => kind !== 'integer' && kind !== 'text'))
    faults.push(`the table ${table.name} has no primary key of numbers and texts`);
  return faults.length === before ? { name: table.name, columns, key } : undefined;
}

/** So that every foreign key finds its row, whichever batch a copy is killed after. */
function parentsFirst(pairs: readonly CopyPair[], tables: Tables): readonly CopyPair[] {
  const ordered: CopyPair[] = [];
  const visit = (pair: CopyPair, trail: readonly string[]): void => {
    if (ordered.includes(pair)) return;
    if (trail.includes(pair.name))
      throw badRequest(`The foreign keys of ${trail.join(', ')} lead in a circle, which no copy can follow.`);
    for (const parent of tables.get(pair.name)?.refersTo ?? []) {
      const next = parent === pair.name ? undefined : pairs.find(({ name }) => name === parent);
      if (next) visit(next, [...trail, pair.name]);
    }
    ordered.push(pair);
  };
  for (const pair of pairs) visit(pair, []);
  return ordered;
}
