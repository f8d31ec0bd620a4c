import { AppError } from '../../src/core/errors.js';
import { defineProcessor, type ProcessorContext } from '../../src/core/processor.js';
import { composePrompt } from '../compose-prompt.js';

const PLACEHOLDER = 'moodle_user';

/** Tells the template who is chatting: {moodle_user} is their verified id in Moodle, or nothing. */
export default defineProcessor({
  name: 'moodle_augment',

  async prepare(ctx) {
    // Finding out may mean asking Moodle.
    if (!ctx.assistant.promptTemplate.includes(`{${PLACEHOLDER}}`)) return {};
    return { contexts: new Map([[PLACEHOLDER, [await knownUser(ctx)]]]) };
  },

  compose: composePrompt,
});

async function knownUser({ moodle, signal }: ProcessorContext): Promise<string> {
  if (!moodle) return '';
  try {
    return String(await moodle.userId());
  } catch (fault) {
    signal.throwIfAborted();
    if (fault instanceof AppError) return '';
    throw fault;
  }
}
