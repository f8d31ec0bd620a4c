import type { IncomingHttpHeaders } from 'node:http';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

interface Facts {
  readonly headers: IncomingHttpHeaders;
  /** How often its tools were listed. */
  readonly listed: number;
}

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
const PIXEL = Buffer.from([0x89, 0x50, 0x4e, 0x47]).toString('base64');

/** A well-behaved server with one tool for each kind of answer. */
export function toolServer({ headers, listed }: Facts): McpServer {
  const server = new McpServer({ name: 'fake', version: '1.0.0' });
  const none = z.object({});
  server.registerTool(
    'add',
    {
      description: `Adds two numbers. List ${String(listed)}.`,
      inputSchema: z.object({ a: z.number(), b: z.number() }),
    },
    ({ a, b }) => text(`The sum is ${String(a + b)}.`),
  );
  server.registerTool('delete.everything', { description: 'Deletes all.', inputSchema: none }, () =>
    text('Gone.'),
  );
  server.registerTool('delete everything', { description: 'Deletes all, too.', inputSchema: none }, () =>
    text('Gone as well.'),
  );
  server.registerTool('headers', { description: 'What was sent along.', inputSchema: none }, () =>
    text(JSON.stringify({ 'x-api-key': headers['x-api-key'] })),
  );
  server.registerTool('failing', { description: 'Fails.', inputSchema: none }, () => ({
    ...text('No such\nbook.'),
    isError: true,
  }));
  server.registerTool('mixed', { description: 'All kinds.', inputSchema: none }, () => ({
    content: [
      { type: 'text', text: 'First.' },
      { type: 'image', data: PIXEL, mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'file:///a.txt', text: 'From a file.' } },
      { type: 'resource_link', uri: 'http://evil.test/x', name: 'a link' },
      { type: 'text', text: 'Last.' },
    ],
  }));
  server.registerTool('long', { description: 'A lot.', inputSchema: none }, () => text('x'.repeat(500_000)));
  server.registerTool('steps', { description: 'In steps.', inputSchema: none }, async (_args, ctx) => {
    const { progressToken } = (ctx.mcpReq._meta ?? {}) as { progressToken?: string | number };
    for (const progress of [1, 2]) {
      if (progressToken === undefined) break;
      await ctx.mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 4, message: 'secret\nwords' },
      });
    }
    return text('Done.');
  });
  return server;
}
