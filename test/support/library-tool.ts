/** A tool from elsewhere that brings the passages its configuration holds. */
export const LIBRARY = `
import { lastUserText } from 'bellwether/message';
import { defineTool } from 'bellwether/tool';
import { z } from 'zod';

const source = z.object({ title: z.string(), url: z.string().optional(), similarity: z.number().optional() });

export default defineTool({
  name: 'library',
  title: 'Library',
  description: 'Finds passages about cells in the library.',
  category: 'test',
  version: '1.0.0',
  danger: 'read',
  repeatable: true,
  placeholder: 'context',
  config: z.object({
    content: z.string().default(''),
    sources: z.array(source).default([]),
    passages: z.array(z.object({ text: z.string(), source })).default([]),
    turns: z.number().default(0).describe('How many others may go before it'),
  }),
  args: z.object({ query: z.string() }),
  asFunction: () => ({ name: 'find_in_library' }),
  argsFromChat: (messages) => ({ query: lastUserText(messages) }),
  touches: () => [],
  status: () => 'looking in the library',
  async run(_args, { content, sources, passages, turns }) {
    for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
    return { content, sources, passages };
  },
});
`;

export interface Found {
  readonly text: string;
  readonly source: { readonly title: string; readonly url?: string; readonly similarity?: number };
}

export const passage = (text: string, title: string, url?: string): Found => ({
  text,
  source: { title, ...(url === undefined ? {} : { url }) },
});

interface Holding {
  readonly content?: string;
  readonly sources?: readonly Found['source'][];
  readonly passages?: readonly Found[];
  readonly turns?: number;
}

/** The tool as an assistant holds it. */
export const library = (mode: 'placeholder' | 'function', config: Holding, more: object = {}) => ({
  type: 'library',
  enabled: true,
  mode,
  config,
  ...more,
});
