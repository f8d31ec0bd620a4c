import { z } from 'zod';
import type { WantedActivity } from '../../../activities/change.js';
import type { UsableAssistants } from '../../../activities/usable-assistants.js';
import type { Assistant } from '../../../core/assistants/assistant.js';
import { evaluates } from '../../../core/grading/evaluation.js';
import { type Activity, TRANSCRIPT_POLICIES } from '../../../core/lti/activity.js';
import { versionServed } from '../../../core/assistants/served.js';
import type { AssistantStore } from '../../../core/stores.js';
import type { PublishGate } from '../../../scenarios/gate.js';
import type * as wire from '../../contract/activities.js';
import { Override } from '../../scenarios/override.js';

/** Activities as the API takes and shows them. */

const MOST_ASSISTANTS = 20;
const MOST_WINDOWS = 20;
const LONGEST_MESSAGE = 500;
const RowId = z.number().int().positive().max(2_147_483_647);

export const AssistantIds = z
  .array(RowId)
  .max(MOST_ASSISTANTS)
  .refine((ids) => new Set(ids).size === ids.length, 'must not name an assistant twice');

const Instant = z.iso.datetime({ offset: true }).max(40);
const ExamWindow = z
  .strictObject({ from: Instant, to: Instant, message: z.string().trim().max(LONGEST_MESSAGE).optional() })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), {
    path: ['to'],
    message: 'must be later than "from"',
  });

export const ActivityBody = z.strictObject({
  assistant_ids: AssistantIds.optional(),
  pinned_version: RowId.nullish(),
  transcript_policy: z.enum(TRANSCRIPT_POLICIES).optional(),
  retention_days: z.number().int().min(1).max(3650).optional(),
  steps_visible: z.boolean().optional(),
  exam_windows: z.array(ExamWindow).max(MOST_WINDOWS).optional(),
  evaluation: z.strictObject({ assistant_id: RowId }).nullish(),
  override: Override.optional(),
});

export function wantedActivity(body: z.output<typeof ActivityBody>): WantedActivity {
  return {
    assistantIds: body.assistant_ids,
    pinnedVersion: body.pinned_version,
    transcriptPolicy: body.transcript_policy,
    retentionDays: body.retention_days,
    stepsVisible: body.steps_visible,
    examWindows: body.exam_windows?.map(asStored),
    evaluationAssistantId: body.evaluation && body.evaluation.assistant_id,
  };
}

function asStored({ from, to, message = '' }: z.output<typeof ExamWindow>): wire.ExamWindow {
  const inUtc = (moment: string) => new Date(moment).toISOString();
  return { from: inUtc(from), to: inUtc(to), ...(message === '' ? {} : { message }) };
}

interface ShowDeps {
  readonly assistants: AssistantStore;
  readonly usable: UsableAssistants;
  readonly gate: Pick<PublishGate, 'mayServe'>;
}

/** Shows activities: to those who teach with all that is to be known, to those who learn with what they can use. */
export function createActivityShow({ assistants, usable, gate }: ShowDeps) {
  const versionIn = async ({ pinnedVersion }: Activity, newest: Assistant) => {
    const held = pinnedVersion === null ? undefined : await assistants.atVersion(newest.id, pinnedVersion);
    if (held && (await gate.mayServe(newest, held))) return held;
    if (pinnedVersion !== null && newest.setup.publishGate === undefined) return undefined;
    return await versionServed(newest, assistants);
  };
  /** As they are here: what it is held to is what answers. */
  const held = async (activity: Activity) => {
    const found = await Promise.all(
      activity.assistants.map(async (placed) => {
        const newest = await assistants.get(placed.assistantId);
        if (!newest) return undefined;
        const served = await versionIn(activity, newest);
        return {
          assistant: served ?? newest,
          mayUse: served !== undefined && (await usable.isLent(activity, placed, newest)),
        };
      }),
    );
    return found.filter((one) => one !== undefined);
  };

  return {
    async toTeacher(activity: Activity): Promise<wire.Activity> {
      const shown = (await held(activity)).map(({ assistant, mayUse }) => ({
        ...showAssistant(assistant),
        may_use: mayUse,
        evaluates: evaluates(assistant),
      }));
      return { ...showFacts(activity), assistants: shown };
    },
    async toLearner(activity: Activity): Promise<wire.Activity> {
      const usableNow = (await held(activity)).filter(({ mayUse }) => mayUse);
      return {
        ...showFacts(activity),
        assistants: usableNow.map(({ assistant }) => showAssistant(assistant)),
      };
    },
  };
}

function showAssistant(assistant: Assistant): wire.PlacedAssistant {
  const { id, name, description, setup, greeting, starters, avatar } = assistant;
  return {
    id,
    name,
    description,
    vision: setup.vision,
    attachments: setup.attachments !== undefined,
    greeting,
    starters,
    avatar,
  };
}

function showFacts(activity: Activity): Omit<wire.Activity, 'assistants'> {
  const { evaluationAssistantId: evaluator } = activity;
  return {
    id: activity.id,
    title: activity.title,
    course_title: activity.course.title,
    configured: activity.configuredAt !== null,
    pinned_version: activity.pinnedVersion,
    transcript_policy: activity.transcriptPolicy,
    retention_days: activity.retentionDays,
    steps_visible: activity.stepsVisible,
    exam_windows: activity.examWindows.map(({ message, ...times }) =>
      message === undefined ? times : { ...times, message },
    ),
    evaluation: evaluator === null ? null : { assistant_id: evaluator },
    platform_id: activity.platformId,
    platform_name: activity.platformName,
    updated_at: activity.updatedAt,
  };
}
