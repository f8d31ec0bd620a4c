import { skipped, type Kind } from './kind.js';
import { newIdOf } from './memory.js';
import { ROWS_AT_ONCE, type LambSource } from './source.js';
import { integerOf, textOf, timeOf, type LambRow } from './values.js';

/** What an assistant has used so far. The log is read only for assistants that have no total. */
const TOTALS = 'SELECT * FROM {assistant_usage_totals} ORDER BY assistant_id';

/** Texts that are no JSON, and counts below zero (a provider that did not say), add nothing. */
const LOGGED = (key: string) =>
  `total(CASE WHEN json_valid(usage_data) THEN max(0, coalesce(CAST(json_extract(usage_data, '$.${key}') AS INTEGER), 0)) ELSE 0 END)`;
const LOGS = `SELECT assistant_id, max(created_at) AS updated_at,
  ${LOGGED('prompt_tokens')} AS prompt_tokens_total, ${LOGGED('completion_tokens')} AS completion_tokens_total
  FROM {usage_logs} WHERE assistant_id IS NOT NULL GROUP BY assistant_id ORDER BY assistant_id`;

/** One entry holds no more than this; a larger total takes several. */
const MOST_TOKENS = 2_147_483_647;

export const usage: Kind = {
  name: 'usage',
  title: 'usage totals',
  count: async (source) => (await totalsIn(source)).length,
  async *batches(source) {
    const totals = await totalsIn(source);
    for (let start = 0; start < totals.length; start += ROWS_AT_ONCE)
      yield totals.slice(start, start + ROWS_AT_ONCE);
  },
  idOf: (row) => integerOf(row['assistant_id'])?.toString(),
  exampleOf: (row) => `assistant ${textOf(row['assistant_id']) ?? '?'}`,

  async importRow(row, ctx) {
    const id = await newIdOf(ctx, 'assistant', integerOf(row['assistant_id']));
    if (id === undefined) return skipped('its assistant did not come over');
    const prompt = tokensIn(row['prompt_tokens_total']);
    const completion = tokensIn(row['completion_tokens_total']);
    if (prompt + completion === 0) return skipped('it is zero');

    const assistant = (await ctx.trx('assistants').where({ id }).first()) as AssistantFacts;
    const runId = `import:${ctx.source.identity}:${textOf(row['assistant_id']) ?? ''}`;
    const entry = {
      run_id: runId,
      organization_id: assistant.organization_id,
      user_id: assistant.owner_id,
      assistant_id: id,
      connector: 'lamb-import',
      model: null,
      estimated: false,
      created_at: timeOf(row['updated_at']) ?? timeOf(row['last_updated']) ?? assistant.updated_at,
    };
    await ctx
      .trx('usage_ledger')
      .insert(portions(prompt, completion).map((tokens) => ({ ...entry, ...tokens })));
    return { imported: runId };
  },
};

interface AssistantFacts {
  readonly organization_id: number;
  readonly owner_id: number;
  readonly updated_at: string;
}

async function totalsIn(source: LambSource): Promise<readonly LambRow[]> {
  const totals = await source.ask(TOTALS);
  const counted = new Set(totals.map((row) => textOf(row['assistant_id'])));
  const logged = await source.ask(LOGS);
  return [...totals, ...logged.filter((row) => !counted.has(textOf(row['assistant_id'])))];
}

function tokensIn(value: unknown): number {
  const tokens = Number(value);
  return Number.isFinite(tokens) && tokens > 0 ? Math.round(tokens) : 0;
}

function portions(prompt: number, completion: number) {
  const entries = [];
  for (let p = prompt, c = completion; p > 0 || c > 0; p -= MOST_TOKENS, c -= MOST_TOKENS) {
    entries.push({
      prompt_tokens: Math.min(Math.max(p, 0), MOST_TOKENS),
      completion_tokens: Math.min(Math.max(c, 0), MOST_TOKENS),
    });
  }
  return entries;
}
