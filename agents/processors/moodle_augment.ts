import { defineProcessor } from '../../src/core/processor.js';
import { composePrompt } from '../prompt/compose.js';

/** LAMB's name for templates that name {moodle_user}, which any processor fills now. */
export default defineProcessor({ name: 'moodle_augment', compose: composePrompt });
