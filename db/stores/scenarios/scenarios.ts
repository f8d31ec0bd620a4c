import type { Knex } from 'knex';
import type {
  HashedScenario,
  Scenario,
  ScenarioContent,
  ScenarioStore,
} from '../../../src/core/scenarios/scenario.js';
import type { Timestamp } from '../../../src/core/stores.js';
import { isRowId, now, storable } from '../../query/values.js';
import { TOO_MANY, unlessTooMany } from './too-many.js';

interface ScenarioRow {
  readonly id: number;
  readonly assistant_id: number;
  readonly name: string;
  /** JSON. */
  readonly messages: string;
  /** JSON. */
  readonly expect: string;
  readonly required: boolean | number;
  readonly hash: string;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

const cellsOf = ({ name, messages, expect, required, hash }: HashedScenario) => ({
  name: storable(name),
  messages: storable(JSON.stringify(messages)),
  expect: storable(JSON.stringify(expect)),
  ...{ required, hash, updated_at: now() },
});

export function createScenarioStore(db: Knex): ScenarioStore {
  const of = (assistantId: number, by: Knex = db) =>
    by<ScenarioRow>('scenarios').where('assistant_id', isRowId(assistantId) ? assistantId : 0);

  return {
    async list(assistantId) {
      return (await of(assistantId).orderBy('id')).map(toScenario);
    },

    async get(id) {
      if (!isRowId(id)) return undefined;
      const row = await db<ScenarioRow>('scenarios').where({ id }).first();
      return row && toScenario(row);
    },

    async add(assistantId, contents, most) {
      const adding = db.transaction(async (trx) => {
        const rows = contents.map((content) => ({
          ...{ assistant_id: assistantId, created_at: now() },
          ...cellsOf(content),
        }));
        // Written first, so that SQLite waits for its turn; whoever comes second counts what the first has written.
        const made: ScenarioRow[] = [];
        for (const row of rows) made.push(...((await trx('scenarios').insert(row, '*')) as ScenarioRow[]));
        const [count] = (await of(assistantId, trx).count({ all: '*' })) as unknown as [
          { all: number | string },
        ];
        if (Number(count.all) > most) throw TOO_MANY;
        return made.map(toScenario);
      });
      return await adding.catch(unlessTooMany);
    },

    async replace(id, content) {
      if (!isRowId(id)) return undefined;
      const [row] = (await db('scenarios').where({ id }).update(cellsOf(content), '*')) as ScenarioRow[];
      return row && toScenario(row);
    },

    async delete(id) {
      return isRowId(id) && (await db('scenarios').where({ id }).del()) > 0;
    },
  };
}

function toScenario(row: ScenarioRow): Scenario {
  return {
    ...{ id: row.id, assistantId: row.assistant_id, name: row.name, hash: row.hash },
    messages: JSON.parse(row.messages) as ScenarioContent['messages'],
    expect: JSON.parse(row.expect) as ScenarioContent['expect'],
    required: Boolean(row.required),
    ...{ createdAt: row.created_at, updatedAt: row.updated_at },
  };
}
