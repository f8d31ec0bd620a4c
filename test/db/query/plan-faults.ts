import type { Knex } from 'knex';

/** What a database says of how it would answer a question, and what is wrong with it at size. */

interface Statement {
  readonly sql: string;
  readonly bindings: readonly Knex.Value[];
}

interface Step {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

/** Found by its key: as many rows as there are keys. */
const BY_KEY = /\((?:\w+=\? AND )*(?:row)?id=\?/;
/** What one way of seeing something brings: no more than a page. */
const OF_A_WAY = /^SCAN way\b/;
/** What a window is laid over, or whose turn it may be: it was found before, and how is told by other steps. */
const FOUND_BEFORE = /^SCAN (?:said|busy|next|\(subquery-\d+\))/;
/** What is in no sum yet: a few rows, whatever the size of the ledger. */
const NOT_SUMMED = /^SCAN usage_(?:unsummed|stale_days)\b/;
/** Stands in the question itself. */
const WRITTEN_OUT = /^SCAN (?:CONSTANT ROW|\d+-ROW VALUES CLAUSE)/;
/** Narrow what is found, but hold for far too many rows to look for it by them. */
const LED_BY_FILTER = /INDEX \w+ \((?:published|assistant_type)=\?(?! AND (?:row)?id=\?)/;

/** A sum sorts what it adds up, and so may read all that it finds. */
export type Sees = 'part' | 'everything' | 'sum';

export async function faultsOnSqlite(db: Knex, { sql, bindings }: Statement, sees: Sees): Promise<string[]> {
  const steps = await db.raw<Step[]>(`EXPLAIN QUERY PLAN ${sql}`, bindings);
  return steps
    .filter((step) => {
      if (step.detail.includes('AUTOMATIC')) return true;
      if (step.detail.startsWith('USE TEMP B-TREE')) return sees !== 'sum' && !sortsOnePage(step, steps);
      if (step.detail.startsWith('SCAN '))
        return (
          sees !== 'everything' &&
          ![OF_A_WAY, WRITTEN_OUT, FOUND_BEFORE, NOT_SUMMED].some((is) => is.test(step.detail))
        );
      return sees === 'part' && LED_BY_FILTER.test(step.detail);
    })
    .map(({ detail }) => detail);
}

/** Rows that were found by the keys which the ways brought. */
function sortsOnePage({ parent }: Step, steps: readonly Step[]): boolean {
  const read = steps.filter((step) => step.parent === parent && /^(SEARCH|SCAN)/.test(step.detail));
  return (
    read.length > 0 &&
    read.every(({ detail }) => BY_KEY.test(detail)) &&
    steps.some(({ detail }) => OF_A_WAY.test(detail))
  );
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Sort Key'?: readonly string[];
  readonly Plans?: readonly PlanNode[];
}

interface Explained {
  readonly rows: readonly [{ readonly 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }];
}

/**
 * With few rows PostgreSQL reads a whole table gladly, and sorts what it has found. Asked not to, it does so only where no
 * index serves: so nothing depends on sizes that it knows and a test does not have. One after the other, because who must
 * not sort would rather read all of an index that has the order. What was forbidden stays so.
 */
const FORBIDDEN = [
  { without: ['seqscan'], isFault: (type: string) => type === 'Seq Scan' },
  {
    without: ['bitmapscan', 'sort', 'incremental_sort'],
    isFault: (type: string, sees: Sees, node: PlanNode) =>
      type.endsWith('Sort') && sees !== 'sum' && !sortsPages(node),
  },
];

/** No more than a page of each of those that somebody owns. */
function sortsPages({ Plans: [found] = [] }: PlanNode): boolean {
  const [, ofEach] = found?.['Node Type'] === 'Nested Loop' ? (found.Plans ?? []) : [];
  const page = ofEach?.['Node Type'] === 'Subquery Scan' ? ofEach.Plans?.[0] : ofEach;
  return page?.['Node Type'] === 'Limit';
}

export async function faultsOnPostgres(
  db: Knex,
  { sql, bindings }: Statement,
  sees: Sees,
): Promise<string[]> {
  const faults: string[] = [];
  await db.transaction(async (trx) => {
    for (const { without, isFault } of FORBIDDEN) {
      await trx.raw(without.map((way) => `SET LOCAL enable_${way} = off`).join('; '));
      const { rows } = await trx.raw<Explained>(`EXPLAIN (FORMAT JSON) ${numbered(sql)}`, bindings);
      for (const node of nodesIn(rows[0]['QUERY PLAN'][0].Plan)) {
        const { 'Node Type': type, 'Relation Name': table, 'Sort Key': keys } = node;
        if (isFault(type, sees, node)) faults.push(`${type} ${table ?? keys?.join(', ') ?? ''}`);
      }
    }
  });
  return faults;
}

/** Knex writes $1, $2 … for PostgreSQL, and reads question marks. */
const numbered = (sql: string) => sql.replaceAll('?', '\\?').replace(/\$\d+/g, '?');

function nodesIn(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesIn)];
}
