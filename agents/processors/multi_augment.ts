import { defineProcessor } from '../../src/core/processor.js';
import { composePrompt } from '../compose-prompt.js';

/** Several tools, several placeholders: composed as the classic one is. */
export default defineProcessor({ name: 'multi_augment', compose: composePrompt });
