import type { Knex } from 'knex';
import type { ToolCall } from '../../src/core/message.js';
import type { HandoverStore, RunState } from '../../src/core/runs/handover.js';
import { now, storable, storableOrNull } from '../query/values.js';

interface HandoverRow {
  readonly id: string;
  readonly run_id: string;
  readonly user_id: number;
  readonly assistant_id: number;
  readonly activity_id: number | null;
  readonly conversation_id: string | null;
  readonly state: string | null;
  readonly expires_at: string;
}

type CallRow = ToolCall & { readonly handover_id: string };

export function createHandoverStore(db: Knex): HandoverStore {
  const handovers = () => db('handovers');
  const of = ({ userId, assistantId }: { readonly userId: number; readonly assistantId: number }) =>
    handovers().where({ user_id: userId, assistant_id: assistantId }).where('expires_at', '>', now());
  const callsOf = async (handoverId: string) => {
    const rows = (await db('handed_calls').where('handover_id', handoverId).orderBy('position')) as CallRow[];
    return rows.map(toCall);
  };

  return {
    async keep({ calls, state, ...handover }) {
      await db.transaction(async (trx) => {
        await trx('handovers').insert({
          ...{ id: handover.id, run_id: handover.runId, user_id: handover.userId },
          ...{ assistant_id: handover.assistantId, activity_id: handover.activityId ?? null },
          conversation_id: storableOrNull(handover.conversationId),
          state: storable(JSON.stringify(state)),
          expires_at: handover.expiresAt,
        });
        await trx('handed_calls').insert(
          calls.map((call, position) => ({
            ...{ id: call.id, handover_id: handover.id, position },
            ...{ name: storable(call.name), arguments: storable(call.arguments) },
          })),
        );
      });
    },

    async waiting(callId, whose) {
      const row = (await of(whose)
        .whereIn('id', db('handed_calls').where('id', storable(callId)).select('handover_id'))
        .whereNotNull('state')
        .first()) as HandoverRow | undefined;
      if (!row) return undefined;
      return {
        ...{ id: row.id, runId: row.run_id, userId: row.user_id, assistantId: row.assistant_id },
        activityId: row.activity_id ?? undefined,
        conversationId: row.conversation_id ?? undefined,
        calls: await callsOf(row.id),
        state: JSON.parse(row.state ?? '') as RunState,
        expiresAt: row.expires_at,
      };
    },

    async claim(id, until) {
      const claimed = await handovers()
        .where({ id })
        .whereNotNull('state')
        .where((free) => {
          void free.whereNull('claimed_until').orWhere('claimed_until', '<', now());
        })
        .update({ claimed_until: until });
      return claimed > 0;
    },

    async release(id) {
      await handovers().where({ id }).update({ claimed_until: null });
    },

    async finish(id) {
      await handovers().where({ id }).update({ state: null, claimed_until: null });
    },

    async known(callIds, whose) {
      const rows = (await db('handed_calls')
        .whereIn('id', callIds.map(storable))
        .whereIn('handover_id', of(whose).select('id'))) as CallRow[];
      return new Map(rows.map((row) => [row.id, toCall(row)]));
    },

    sweep: (at) => handovers().where('expires_at', '<', at).del(),
  };
}

const toCall = ({ id, name, arguments: args }: CallRow): ToolCall => ({ id, name, arguments: args });
