import { z } from 'zod';
import { callerEmail } from '../../src/core/identity.js';
import { type AnyTool, defineTool } from '../../src/core/tool.js';

/** Read by the compiler alone (`npm test`): a line that ought to be an error and is none is an error. */

const facts = {
  name: 'probe',
  title: 'Probe',
  description: 'Proves what the compiler says.',
  category: 'test',
  version: '1.0.0',
  danger: 'read',
  repeatable: false,
  config: z.object({ depth: z.number().default(1) }),
  args: z.object({ city: z.string(), email: z.string(), days: z.number().default(1) }),
  touches: () => [],
  status: () => 'probing',
  run: () => Promise.resolve({ content: '' }),
} as const;
const asFunction = () => ({ name: 'probe' });
const functions = () => Promise.resolve([{ name: 'probe', parameters: {} }]);
const argsFromChat = () => ({ city: '', email: '' });
const placeholder = 'probe';
const bound = { email: callerEmail };

// Each way of being called, alone and together; all of them are what the registry holds.
export const fitting: readonly AnyTool[] = [
  defineTool({ ...facts, asFunction }),
  defineTool({ ...facts, functions }),
  defineTool({ ...facts, placeholder, argsFromChat }),
  defineTool({ ...facts, asFunction, placeholder, argsFromChat }),
  defineTool({ ...facts, functions, placeholder, argsFromChat }),
  defineTool({ ...facts, asFunction, bound }),
  defineTool({ ...facts, bound, placeholder, argsFromChat: () => ({ city: '' }) }),
  defineTool({ ...facts, placeholder, argsFromChat: () => ({ city: '', email: '', days: 2 }) }),
  defineTool({
    ...facts,
    placeholder,
    asFunction: ({ depth }) => ({ name: `probe_${depth.toFixed()}` }),
    argsFromChat: (messages, { depth }) => ({ city: messages[0]?.role ?? '', email: '', days: depth }),
    touches: (args, { depth }) => [{ kind: 'file', id: args?.city ?? depth.toFixed() }],
    status: ({ city, days }, { depth }, subject) => subject.name + city + (days * depth).toFixed(),
    run: async ({ city, days }, { depth }, ctx) => {
      ctx.progress(city.trim(), days * depth);
      return { content: await ctx.askModel({ system: '', user: city }), sources: [{ title: city }] };
    },
  }),
];

// @ts-expect-error -- without a way to be called it can never run
defineTool({ ...facts });
// @ts-expect-error -- one function or several, not both
defineTool({ ...facts, asFunction, functions });
// @ts-expect-error -- nothing would fill the placeholder
defineTool({ ...facts, placeholder });
// @ts-expect-error -- a function does not fill it either
defineTool({ ...facts, asFunction, placeholder });
// @ts-expect-error -- arguments without a placeholder to fill
defineTool({ ...facts, asFunction, argsFromChat });
// @ts-expect-error -- a function has a name
defineTool({ ...facts, asFunction: () => 'probe' });
// @ts-expect-error -- several functions come with their parameters
defineTool({ ...facts, functions: () => Promise.resolve([{ name: 'probe' }]) });

// @ts-expect-error -- bound names an argument that there is not
defineTool({ ...facts, asFunction, bound: { nobody: callerEmail } });
// @ts-expect-error -- bound to something that is no identity
defineTool({ ...facts, asFunction, bound: { email: 'me' } });
// @ts-expect-error -- the chat gives an argument of another type
defineTool({ ...facts, placeholder, argsFromChat: () => ({ city: 7, email: '' }) });
// @ts-expect-error -- the chat leaves out an argument
defineTool({ ...facts, placeholder, argsFromChat: () => ({ city: '' }) });
// @ts-expect-error -- the chat gives an argument that there is not
defineTool({ ...facts, placeholder, argsFromChat: () => ({ city: '', email: '', more: 1 }) });
// @ts-expect-error -- the chat gives an argument that is bound to the Caller
defineTool({ ...facts, bound, placeholder, argsFromChat });

// @ts-expect-error -- status reads an argument that there is not
defineTool({ ...facts, asFunction, status: ({ town }) => String(town) });
// @ts-expect-error -- status reads a setting that there is not
defineTool({ ...facts, asFunction, status: (_args, { width }) => String(width) });
// @ts-expect-error -- touches names a kind of thing that there is not
defineTool({ ...facts, asFunction, touches: () => [{ kind: 'planet', id: 1 }] });
// @ts-expect-error -- arguments may not be there yet when it is asked what is touched
defineTool({ ...facts, asFunction, touches: (args) => [{ kind: 'file', id: args.city }] });
// @ts-expect-error -- what it touches must be said, if only []
defineTool({ ...facts, asFunction, touches: undefined });

// @ts-expect-error -- run reads an argument that there is not
defineTool({ ...facts, asFunction, run: ({ town }) => Promise.resolve({ content: String(town) }) });
// @ts-expect-error -- run reads a setting that there is not
defineTool({ ...facts, asFunction, run: (_args, { width }) => Promise.resolve({ content: String(width) }) });
// @ts-expect-error -- an argument is of the type its schema gives it
defineTool({ ...facts, asFunction, run: ({ days }) => Promise.resolve({ content: days }) });
// @ts-expect-error -- run brings content
defineTool({ ...facts, asFunction, run: () => Promise.resolve({}) });
// @ts-expect-error -- run brings something at all
defineTool({ ...facts, asFunction, run: () => Promise.resolve() });

// @ts-expect-error -- a danger that there is not
defineTool({ ...facts, asFunction, danger: 'none' });
// @ts-expect-error -- a category is one text
defineTool({ ...facts, asFunction, category: ['test'] });
// @ts-expect-error -- arguments have names
defineTool({ ...facts, asFunction, args: z.string() });
// @ts-expect-error -- a configuration is a schema
defineTool({ ...facts, asFunction, config: {} });
