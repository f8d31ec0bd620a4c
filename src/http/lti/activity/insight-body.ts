import type { Dashboard } from '../../../activities/dashboard.js';
import type { Activity } from '../../../core/lti/activity.js';
import type { Transcript } from '../../../core/lti/activity-insight.js';
import type { AnswerDetails } from '../../../core/runs/answer-details.js';
import { type Content, textOf } from '../../../core/message.js';
import type { Plugins } from '../../../core/plugins.js';
import type { Hiding } from '../../../core/base/redactor.js';
import type { SecretBox } from '../../../core/organizations/secret-box.js';
import type { AssistantStore, StoredMessage } from '../../../core/stores.js';
import { speakerIn } from '../../../activities/transcripts.js';
import type { UsageSum } from '../../../organizations/usage-report.js';

/** What instructors see, as the API shows it. Ids of people are nowhere in it. */

const LONGEST_QUESTION = 300;

/** Tools that put passages or documents before a model, and name them as sources. */
const RETRIEVING = 'rag';
/** Of that kind by name alone. */
const NOT_RETRIEVING = 'no_rag';

/** By what they hold today: an assistant without such a tool has no sources to name. */
export async function retrievingIn(
  { assistants: placed }: Activity,
  { assistants, plugins }: { readonly assistants: AssistantStore; readonly plugins: Plugins },
): Promise<readonly number[]> {
  const held = await Promise.all(placed.map(({ assistantId }) => assistants.get(assistantId)));
  const retrieves = (type: string) =>
    type !== NOT_RETRIEVING && plugins.tools.get(type)?.category === RETRIEVING;
  return held.flatMap((assistant) =>
    assistant?.setup.tools.some(({ type, enabled }) => enabled && retrieves(type)) ? [assistant.id] : [],
  );
}

interface DashboardFacts {
  readonly activity: Activity;
  /** How many learners the course has. */
  readonly of: number | null;
  readonly cost: (UsageSum & { readonly currency: string }) | null;
  readonly days: readonly string[];
  readonly plugins: Plugins;
}

export function showDashboard(seen: Dashboard, { activity, of, cost, days, plugins }: DashboardFacts) {
  return {
    period: { from: days.at(0) ?? '', to: days.at(-1) ?? '' },
    participants: { students: seen.students, of, suppressed: seen.isSuppressed },
    questions: { total: seen.questions, per_day: seen.perDay },
    tools: seen.tools.map((use) => ({ ...use, title: plugins.tools.get(use.tool)?.title ?? use.tool })),
    attention: {
      unanswered: seen.unanswered,
      sourceless: seen.sourceless,
      examples: seen.examples.map(({ conversationId, question, why, at }) => ({
        ...{ conversation_id: conversationId, question: shortened(question), why, at },
      })),
    },
    cost: {
      amount: cost?.cost ?? null,
      currency: cost?.currency ?? null,
      prompt_tokens: cost?.promptTokens ?? null,
      completion_tokens: cost?.completionTokens ?? null,
    },
    transcript_policy: activity.transcriptPolicy,
    small_group: seen.isSmallGroup,
  };
}

export function showTranscript(transcript: Transcript, activity: Activity, box: SecretBox) {
  return {
    id: transcript.id,
    title: transcript.title,
    who: speakerIn(transcript, activity, box),
    assistant_id: transcript.assistantId,
    messages: transcript.messages,
    started_at: transcript.startedAt,
    updated_at: transcript.updatedAt,
  };
}

/** Without its run, which leads to whoever asked. */
export function showTranscriptMessage(
  { role, content, incomplete, details, createdAt }: StoredMessage,
  redactor: Hiding,
) {
  const { sources } = details ? (redactor.redactIn(details) as AnswerDetails) : { sources: [] };
  return {
    ...{ role, content: withoutPictures(content), incomplete, created_at: createdAt },
    ...(sources.length > 0 ? { sources } : {}),
  };
}

/** A link to a picture of ours names its owner to whoever takes it apart, the same one in every course. */
const OWN_PICTURE = /!\[([^\]]*)\]\([^)\s]*\/pictures\/[^)\s]*\)/g;
const BARE_LINK = /\S*\/pictures\/[\w.-]{20,}/g;

function withoutPictures(content: Content): Content {
  const cleaned = (text: string) => text.replace(OWN_PICTURE, '[$1]').replace(BARE_LINK, '[…]');
  if (typeof content === 'string') return cleaned(content);
  return content.map((part) => (part.type === 'text' ? { ...part, text: cleaned(part.text) } : { ...part }));
}

function shortened(question: Content): string {
  const text = textOf(withoutPictures(question)).replace(/\s+/g, ' ').trim();
  return text.length <= LONGEST_QUESTION ? text : `${text.slice(0, LONGEST_QUESTION - 1)}…`;
}
