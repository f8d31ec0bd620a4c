import type { Knex } from 'knex';
import type {
  CassettePlace,
  CassetteStore,
  PassStore,
  Recording,
} from '../../../src/core/scenarios/suite-run.js';
import { isRowId, now, storable } from '../../query/values.js';

/** Stands for the scenarios of what somebody let through. */
const LET_THROUGH = '';

export function createPassStore(db: Knex): PassStore {
  const of = (assistantId: number) =>
    db('suite_passes').where('assistant_id', isRowId(assistantId) ? assistantId : 0);

  return {
    async add({ assistantId, version, contentHash, requiredHash }) {
      await db('suite_passes')
        .insert({
          ...{ assistant_id: assistantId, version, content_hash: contentHash },
          ...{ required_hash: requiredHash ?? LET_THROUGH, created_at: now() },
        })
        .onConflict(['assistant_id', 'content_hash', 'required_hash'])
        .merge(['version', 'created_at']);
    },

    async has(assistantId, content_hash, required_hash) {
      const found: unknown = await of(assistantId).where({ content_hash, required_hash }).first('version');
      return found !== undefined;
    },

    async hasEver(assistantId, content_hash) {
      const found: unknown = await of(assistantId).where({ content_hash }).first('version');
      return found !== undefined;
    },

    async newest(assistantId, required_hash) {
      const found = await of(assistantId)
        .where({ required_hash })
        .orderBy('version', 'desc')
        .first<{ readonly version: number } | undefined>('version');
      return found?.version;
    },
  };
}

export function createCassetteStore(db: Knex): CassetteStore {
  const at = ({ assistantId, version, scenarioId, repetition }: CassettePlace) => ({
    ...{ assistant_id: assistantId, version, scenario_id: scenarioId, repetition },
  });
  return {
    async get(place) {
      const [text] = await db('suite_cassettes').where(at(place)).pluck<string[]>('recording');
      return text === undefined ? undefined : (JSON.parse(text) as Recording);
    },

    async put(place, recording) {
      await db('suite_cassettes')
        .insert({ ...at(place), recording: storable(JSON.stringify(recording)), created_at: now() })
        .onConflict(['assistant_id', 'version', 'scenario_id', 'repetition'])
        .merge(['recording', 'created_at']);
    },
  };
}
