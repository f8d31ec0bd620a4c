import type { Caller } from '../../../src/core/access/caller.js';
import type { AssistantContent } from '../../../src/core/assistants/assistant.js';
import { FACE_LIMITS } from '../../../src/core/assistants/face.js';
import { unusableAnswer } from '../../../src/core/errors.js';
import type { RunDeps } from '../prepare.js';
import { thinkUpQuestions } from './think-up-questions.js';

const WANTED = 4;
const WITHIN_MS = 60_000;
/** Its beginning says what an assistant is for. */
const LONGEST_PROMPT = 6_000;

const TASK = `You write questions that a learner could ask an assistant first. The material says what the assistant is. \
Write ${String(WANTED)} that show what it is good for.`;

export type DraftStarters = (request: {
  readonly caller: Caller;
  readonly assistant: Pick<AssistantContent, 'name' | 'description' | 'systemPrompt'>;
  readonly signal: AbortSignal;
}) => Promise<readonly string[]>;

/** Questions that somebody could begin with, thought up by a model of the caller's organisation. */
export function createDraftStarters(deps: RunDeps): DraftStarters {
  return async ({ caller, assistant: { name, description, systemPrompt }, signal }) => {
    const about = [name, description, systemPrompt.slice(0, LONGEST_PROMPT)];
    const material = about.filter((text) => text.trim() !== '').join('\n\n');
    const wanted = { name: 'starters', most: WANTED, longest: FACE_LIMITS.starter, withinMs: WITHIN_MS };
    const starters = await thinkUpQuestions({ caller, signal, material, task: TASK, ...wanted }, deps);
    if (starters.length > 0) return starters;
    throw unusableAnswer(
      'The model brought no questions that can be used. Try again, or write them yourself.',
    );
  };
}
