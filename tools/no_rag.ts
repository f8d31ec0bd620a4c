import { z } from 'zod';
import { defineTool } from '../src/core/tool.js';

export default defineTool({
  name: 'no_rag',
  title: 'Nothing',
  description: 'Fills its placeholder with nothing.',
  category: 'rag',
  version: '1.0.0',
  danger: 'read',
  repeatable: false,
  placeholder: 'context',

  config: z.object({}),
  args: z.object({}),

  argsFromChat: () => ({}),
  touches: () => [],
  status: () => 'adding nothing',
  run: () => Promise.resolve({ content: '' }),
});
