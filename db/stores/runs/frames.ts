import type { Knex } from 'knex';
import type { Speaker } from '../../../src/core/runs/conversation.js';
import {
  FRAMES_KEPT_MS,
  type FoundRun,
  type FrameBatch,
  type FramesSince,
  type KeptFrame,
  type RunFrameStore,
} from '../../../src/core/runs/run-frames.js';
import { prepareStatement, type StatementText } from '../../query/prepared.js';
import { now, storable, storableOrNull } from '../../query/values.js';
import { ownedBy } from '../conversation-messages.js';

interface RunRow {
  readonly id: string;
  readonly user_id: number;
  readonly activity_id: number | null;
  readonly conversation_id: string | null;
  readonly text_head: string;
  readonly text_tail: string;
  readonly started_at: string;
  readonly cancelled_at: string | null;
  readonly ended_at: string | null;
}

/** One that is younger may not have been noted yet. */
const NOTED_WITHIN_MS = 5_000;

/** In PostgreSQL the run is held, so that nobody forgets it between the look and the insert. */
const APPEND: StatementText = {
  name: 'append_run_frames',
  sqlite: `
    INSERT INTO run_frames (run_id, last_id, frames)
      SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]')
      FROM json_each(?) WHERE json_extract(value, '$[0]') IN (SELECT id FROM resumable_runs)
      ON CONFLICT DO NOTHING`,
  postgres: `
    INSERT INTO run_frames (run_id, last_id, frames)
      SELECT resumable_runs.id, (batch ->> 1)::integer, batch ->> 2
      FROM jsonb_array_elements($1::jsonb) AS packed (batch)
      JOIN resumable_runs ON resumable_runs.id = batch ->> 0
      FOR KEY SHARE OF resumable_runs
      ON CONFLICT DO NOTHING`,
};

const NOTED = 'EXISTS (SELECT 1 FROM run_notes WHERE run_notes.id = resumable_runs.id) AS is_noted';
const SINCE: StatementText = {
  name: 'run_frames_since',
  sqlite: `
    SELECT resumable_runs.id, ended_at, last_id, frames, ${NOTED}
    FROM json_each(?) AS place
    JOIN resumable_runs ON resumable_runs.id = json_extract(place.value, '$[0]')
    LEFT JOIN run_frames ON run_id = resumable_runs.id AND last_id > json_extract(place.value, '$[1]')
    ORDER BY last_id`,
  postgres: `
    SELECT resumable_runs.id, ended_at, last_id, frames, ${NOTED}
    FROM jsonb_array_elements($1::jsonb) AS packed (place)
    JOIN resumable_runs ON resumable_runs.id = place ->> 0
    LEFT JOIN run_frames ON run_id = resumable_runs.id AND last_id > (place ->> 1)::integer
    ORDER BY last_id`,
};

interface SinceRow {
  readonly id: string;
  readonly ended_at: string | null;
  readonly last_id: number | null;
  readonly frames: string | null;
  readonly is_noted: boolean | number;
}

export function createRunFrameStore(db: Knex): RunFrameStore {
  const runs = () => db<RunRow>('resumable_runs');
  const append = prepareStatement(db, APPEND);
  const since = prepareStatement(db, SINCE);

  return {
    async begin({ id, conversationId, textFrame, startedAt, ...whose }) {
      const row = {
        ...{ id, ...ownedBy(whose), conversation_id: storableOrNull(conversationId) },
        ...{ text_head: textFrame.head, text_tail: textFrame.tail, started_at: startedAt },
      };
      if ((await runs().insert(row).onConflict('id').ignore().returning('id')).length > 0) return;
      // A run that waited for its client begins to tell anew when it goes on.
      await runs().where({ id }).del();
      await runs().insert(row);
    },

    async append(batches) {
      const packed = batches.map(({ runId, lastId, frames }) => [runId, lastId, JSON.stringify(frames)]);
      await append(JSON.stringify(packed));
    },

    async end(ids) {
      await runs()
        .whereIn('id', [...ids])
        .update({ ended_at: now() });
    },

    async wanted(ids) {
      const found = await runs()
        .whereIn('id', [...ids])
        .whereNull('cancelled_at')
        .pluck('id');
      return new Set(found);
    },

    async get(whose, id) {
      const row = await runs()
        .where({ id: storable(id), ...ownedBy(whose) })
        .first();
      return row && toRun(row);
    },

    async underWayIn(conversationId) {
      const young = new Date(Date.now() - NOTED_WITHIN_MS).toISOString();
      const row = await runs()
        .where('conversation_id', storable(conversationId))
        .whereNull('ended_at')
        .where((alive) => {
          void alive.where('started_at', '>', young).orWhereIn('id', db('run_notes').select('id'));
        })
        .orderBy('started_at', 'desc')
        .first('id');
      return row?.id;
    },

    async cancel(id) {
      await runs().where({ id }).whereNull('ended_at').whereNull('cancelled_at').update({
        cancelled_at: now(),
      });
    },

    async since(places) {
      const packed = JSON.stringify(places.map(({ runId, lastId }) => [runId, lastId]));
      const found = new Map<string, FramesSince & { readonly batches: FrameBatch[] }>();
      for (const row of (await since(packed)) as readonly SinceRow[]) {
        const known = found.get(row.id) ?? {
          ...{ batches: [], isEnded: row.ended_at !== null, isNoted: Boolean(row.is_noted) },
        };
        found.set(row.id, known);
        const { last_id: lastId, frames } = row;
        if (lastId === null || frames === null) continue;
        known.batches.push({ runId: row.id, lastId, frames: JSON.parse(frames) as KeptFrame[] });
      }
      return found;
    },

    async sweep(at) {
      const before = new Date(Date.parse(at) - FRAMES_KEPT_MS).toISOString();
      // Those whose process was killed never came to an end.
      const lost = runs()
        .whereNull('ended_at')
        .where('started_at', '<', before)
        .whereNotIn('id', db('run_notes').select('id'));
      return (await runs().where('ended_at', '<', before).del()) + (await lost.del());
    },
  };
}

function toRun(row: RunRow): FoundRun {
  const whose: Speaker = { userId: row.user_id, activityId: row.activity_id ?? undefined };
  return {
    ...whose,
    id: row.id,
    conversationId: row.conversation_id ?? undefined,
    textFrame: { head: row.text_head, tail: row.text_tail },
    startedAt: row.started_at,
    endedAt: row.ended_at ?? undefined,
  };
}
