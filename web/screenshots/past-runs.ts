import { randomUUID } from 'node:crypto';
import type { RunRecord } from '../../src/core/runs/record.js';
import { inDatabase, type Person } from '../../test/http/support/users-fixture.js';
import type { Service } from '../../test/support/service.js';
import type { College } from './college.js';

const DAY = 24 * 60 * 60 * 1000;
const DAYS = 28;
const NOTHING = { chars: 0, sha256: '' };
/** Questions on the days of a week, from the day of the picture backwards. */
const RHYTHM = [5, 9, 12, 8, 10, 2, 1];

/** Four weeks in which the people of a college have asked its assistants. */
export const recordPast = (
  service: Service,
  people: readonly Person[],
  { tutor, coach, desk, planner }: College['assistants'],
): Promise<void> =>
  inDatabase(service, async ({ runs }) => {
    const asked = [tutor, coach, tutor, desk, tutor, coach, planner];
    for (let day = 1; day <= DAYS; day += 1)
      for (let n = 0; n < (RHYTHM[day % RHYTHM.length] ?? 0); n += 1) {
        const turn = day * 3 + n;
        const assistantId = asked[turn % asked.length] ?? tutor;
        const model = [tutor, coach].includes(assistantId) ? 'gpt-4o-mini' : 'gpt-4o';
        const person = people[turn % people.length];
        if (person) await runs.record(aRun({ day, turn, assistantId, model }, person));
      }
  });

function aRun(
  { day, turn, assistantId, model }: { day: number; turn: number; assistantId: number; model: string },
  { id: userId, organizationId }: Person,
): RunRecord {
  const startedAt = new Date(Date.now() - day * DAY).toISOString();
  const usage = { promptTokens: 900 + ((turn * 317) % 1400), completionTokens: 120 + ((turn * 89) % 260) };
  const ms = 900 + ((turn * 271) % 2600);
  const step = { kind: 'model', ok: true, iteration: 1, connector: 'openai', model, usage } as const;
  return {
    ...{ id: `run_${randomUUID()}`, parentRunId: undefined, assistantId, assistantVersion: 1 },
    ...{ organizationId, userId, via: 'session', conversationId: undefined, activityId: undefined },
    ...{ status: 'completed', errorCode: undefined, startedAt, ms, iterations: 1, capped: false, usage },
    steps: [{ ...step, startedAt, ms, input: NOTHING, output: NOTHING }],
  };
}
