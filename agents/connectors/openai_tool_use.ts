import { defineConnector } from '../../src/core/connector.js';
import openai from './openai.js';

/** Another name for `openai`, found in assistants that were made to call functions. */
export default defineConnector({ ...openai, name: 'openai_tool_use', title: 'OpenAI, for tool use' });
