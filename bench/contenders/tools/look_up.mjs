import { setTimeout as pause } from 'node:timers/promises';
import { defineTool } from 'bellwether/tool';
import { z } from 'zod';

/** What the other agents' tool does, as a tool of the service; its author says what it is called and how long it takes. */
export default defineTool({
  name: 'look_up',
  title: 'Look-up',
  description: 'Looks up the value of a key.',
  category: 'custom',
  version: '1.0.0',
  danger: 'read',
  repeatable: true,
  config: z.object({ function_name: z.string(), ms: z.number().default(0) }),
  args: z.object({ key: z.string() }),
  asFunction: ({ function_name }) => ({ name: function_name }),
  touches: () => [],
  status: () => 'looking up',
  async run({ key }, { ms }, { signal }) {
    if (ms > 0) await pause(ms, undefined, { signal });
    return { content: `value-of-${key}` };
  },
});
