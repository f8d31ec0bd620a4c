import { defineProcessor } from '../../src/core/processor.js';
import { composePrompt } from '../prompt/compose.js';

/** Several tools, several placeholders: composed as the classic one is. */
export default defineProcessor({ name: 'multi_augment', compose: composePrompt });
