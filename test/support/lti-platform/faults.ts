import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { departure, type Exchange, write } from '../fakes/ledger-server.js';

/** A part of the platform that can be made to fail. */
const PARTS = [
  'jwks',
  'token',
  'memberships',
  'lineitems',
  'scores',
  'results',
  'configuration',
  'registration',
] as const;
export type Part = (typeof PARTS)[number];

/**
 * What goes wrong: a status (`500`), `reset`, `slow:<ms>` (as asked, but late), `hang` (never an answer), `huge`, `html`, `broken` (half an answer), or
 * `drop`: all is done as asked, and the connection is closed without an answer.
 */
export const FaultOrder = z.object({
  part: z.enum(PARTS),
  /** Of one tool only; of any when left out. */
  tool: z.number().optional(),
  /** One for each request to come. */
  faults: z.array(z.string()),
  /** The last one holds for good. */
  always: z.boolean().default(false),
});
export type FaultOrder = z.input<typeof FaultOrder>;

export type Faults = ReturnType<typeof createFaults>;

export function createFaults() {
  const orders = new Map<string, { faults: string[]; always: boolean }>();
  const keyOf = (part: string, tool?: number) => `${part}/${String(tool ?? '*')}`;

  function next(part: Part, tool?: number): string | undefined {
    const order = orders.get(keyOf(part, tool)) ?? orders.get(keyOf(part));
    if (!order) return undefined;
    return order.always && order.faults.length === 1 ? order.faults[0] : order.faults.shift();
  }
  return {
    order({ part, tool, faults, always }: z.output<typeof FaultOrder>): void {
      orders.set(keyOf(part, tool), { faults: [...faults], always });
    },
    next,
    /** True when the request has been dealt with: it met a fault. */
    async meets(exchange: Exchange, part: Part, tool?: number): Promise<boolean> {
      const fault = next(part, tool);
      if (fault === undefined) return false;
      if (fault.startsWith('slow:')) {
        await delay(Number(fault.slice('slow:'.length)), undefined, { signal: exchange.left });
        return false;
      }
      await failWith(exchange, fault);
      return true;
    },
  };
}

/** How a request fails that is not even looked at. */
export async function failWith(exchange: Exchange, fault: string): Promise<void> {
  const { res, row } = exchange;
  row.outcome = fault;
  if (fault === 'reset' || fault === 'drop') exchange.hangUp('reset');
  else if (fault === 'hang') await departure(exchange.left);
  else if (fault === 'huge') await pour(exchange).catch(() => undefined);
  else if (fault === 'broken') res.writeHead(200, { 'content-type': 'application/json' }).end('{"keys": [');
  else if (fault === 'html') res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Maintenance</h1>');
  else res.writeHead(Number(fault), { 'content-type': 'text/html' }).end('Coding error detected');
}

const BLOCK = 'x'.repeat(64 * 1024);

async function pour(exchange: Exchange): Promise<void> {
  exchange.res.writeHead(200, { 'content-type': 'application/json' });
  await write(exchange, '{"keys":[],"padding":"');
  for (let sent = 0; sent < 50 * 1024 * 1024; sent += BLOCK.length) {
    await write(exchange, BLOCK);
    // Without a turn of the event loop the client's leaving would go unnoticed.
    await new Promise((resolve) => setImmediate(resolve));
  }
  exchange.res.end('"}');
}
