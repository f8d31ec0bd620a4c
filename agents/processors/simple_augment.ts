import { defineProcessor } from '../../src/core/processor.js';
import { composePrompt } from '../prompt/compose.js';

/** The classic one: what a tool found goes where the template says, around the user's words. */
export default defineProcessor({ name: 'simple_augment', compose: composePrompt });
