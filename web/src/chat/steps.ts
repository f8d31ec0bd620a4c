import type { AnswerStep } from '../../../src/http/contract/chat.ts';
import type { Status, StepFacts } from './frames.ts';

export type StepState = 'running' | 'waiting' | 'completed' | 'failed' | 'denied';
export type StepKind = 'placeholder' | 'tool' | 'assistant';

/** Something that was done for an answer. */
export interface Step {
  readonly key: string;
  readonly kind: StepKind;
  readonly tool: string;
  /** In English, by the service: for what this page has no words of its own for. */
  readonly label: string;
  /** What it is about, by its name. */
  readonly subject?: string | undefined;
  readonly facts?: StepFacts | undefined;
  /** What its tool is at, and which one of several. */
  readonly doing?: string | undefined;
  readonly doingWhich?: string | undefined;
  readonly state: StepState;
  readonly ms?: number | undefined;
  readonly percent?: number | undefined;
  /** While it waits for a yes or no. */
  readonly expiresAt?: string | undefined;
  readonly callId?: string | undefined;
  /** What another assistant did for it. */
  readonly within: readonly Step[];
}

const ENDINGS: Readonly<Record<string, StepState>> = {
  started: 'running',
  progress: 'running',
  required: 'waiting',
  completed: 'completed',
  failed: 'failed',
  denied: 'denied',
};

/** The steps after one more event. Events that are about no step leave them as they are. */
export function withStatus(steps: readonly Step[], status: Status): readonly Step[] {
  const [about, ending = ''] = status.type.split('.');
  const state = ENDINGS[ending];
  if (state === undefined) return steps;
  if (about === 'placeholder') return put(steps, placeholderOf(status, state), isSamePlaceholder);
  if (about === 'tool' || about === 'approval') return put(steps, toolOf(status, state), isSameCall);
  if (about === 'assistant') return putWithin(steps, status, state);
  return steps;
}

/** What a run has left open is over with it. */
export const ended = (steps: readonly Step[]): readonly Step[] =>
  steps.map((step) => ({
    ...step,
    state: step.state === 'running' || step.state === 'waiting' ? 'failed' : step.state,
    within: ended(step.within),
  }));

export const restored = (kept: readonly AnswerStep[]): readonly Step[] =>
  kept.map(({ kind, tool, label, subject, facts, state, ms }, i) => ({
    ...{ key: String(i), kind, tool, label, subject, facts, state, ms, within: [] },
  }));

type IsSame = (old: Step, now: Step) => boolean;
const isOpen = ({ state }: Step): boolean => state === 'running' || state === 'waiting';
const isSameCall: IsSame = (old, now) => isOpen(old) && old.callId === now.callId;
const isSamePlaceholder: IsSame = (old, now) =>
  isOpen(old) && old.tool === now.tool && old.callId === now.callId;

function put(steps: readonly Step[], now: Step, isSame: IsSame): readonly Step[] {
  // Two that look alike, such as two collections for one placeholder, both start before either is ready.
  const isNew = now.kind === 'placeholder' && now.state === 'running';
  const at = isNew ? -1 : steps.findIndex((old) => isSame(old, now));
  const old = steps[at];
  if (!old) return [...steps, { ...now, key: String(steps.length) }];
  // What a tool reports of itself is no other subject of the step.
  const subject = now.doing === undefined ? now.subject : old.subject;
  return steps.with(at, { ...now, subject, key: old.key, within: old.within });
}

function putWithin(steps: readonly Step[], status: Status, state: StepState): readonly Step[] {
  const now: Step = {
    ...factsOf(status, state),
    kind: 'assistant',
    tool: 'assistant',
    callId: status.call_id,
  };
  const at = steps.findLastIndex(({ kind, callId }) => kind === 'tool' && callId === status.call_id);
  const caller = steps[at];
  if (!caller) return put(steps, now, (old) => old.kind === 'assistant' && isSameCall(old, now));
  return steps.with(at, { ...caller, within: put(caller.within, now, isSameCall) });
}

const factsOf = ({ label = '', subject, facts, ms, percent, tool = '' }: Status, state: StepState) => ({
  ...{ key: '', label, subject, facts, tool, state, ms, percent, within: [] },
});

const placeholderOf = (status: Status, state: StepState): Step => ({
  ...factsOf(status, state),
  kind: 'placeholder',
  callId: status.placeholder,
});

const toolOf = (status: Status, state: StepState): Step => ({
  ...factsOf(status, state),
  kind: 'tool',
  callId: status.call_id,
  doing: status.doing,
  doingWhich: status.doing === undefined ? undefined : status.subject,
  expiresAt: status.expires_at,
});
