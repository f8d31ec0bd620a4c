import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createMcpServers } from '../../src/clients/mcp/servers.js';
import type { McpAddress } from '../../src/core/clients/mcp.js';
import { PROJECT_ROOT } from '../support/child-process.js';
import { uniqueName } from '../support/fakes/fakes.js';
import type { OutboundWorld } from '../support/outbound-service.js';
import { theOutboundWorld } from '../support/test-service.js';

const MINUTE = 60_000;
const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const never = new AbortController().signal;

describe('what is remembered of MCP servers', () => {
  let world: OutboundWorld;
  const made: { close(): Promise<void> }[] = [];
  before(async () => {
    world = await theOutboundWorld();
  });
  after(() => Promise.all(made.map((servers) => servers.close())));

  /** Real servers and a clock of our own. */
  const remembered = (variant: string) => {
    const clock = { now: 0 };
    const subject = uniqueName(variant);
    const servers = createMcpServers({ fetch, log: silent, now: () => clock.now });
    made.push(servers);
    const address = (headers: Record<string, string> = {}): McpAddress => ({
      url: new URL(`${world.mcp.url}/${variant}/${subject}`),
      headers,
    });
    const rows = async (method: string) =>
      (await world.mcp.ledger(subject)).filter(({ body }) => body.method === method);
    const list = (organizationId = 1, headers: Record<string, string> = {}) =>
      servers.of(organizationId).tools(address(headers), never);
    return { clock, servers, subject, address, rows, list };
  };
  const call = (name: string) => ({ name, args: {}, signal: never, progress: () => undefined });

  it('a list is asked for once, also by many at the same time', async () => {
    const { list, rows } = remembered('tools');

    await Promise.all([list(), list(), list()]);
    await list();

    expect(await rows('tools/list')).to.have.length(1);
  });

  it('a list of five minutes is given once more, and asked for anew behind it', async () => {
    const { clock, list, rows } = remembered('tools');
    await list();

    clock.now = 5 * MINUTE;
    const stale = await list();
    const fresh = await untilChanged(list, stale);

    expect(stale[0]?.description).to.contain('List 1.');
    expect(fresh[0]?.description).to.contain('List 2.');
    expect(await rows('tools/list')).to.have.length(2);
  });

  it('a list that cannot be had anew is kept for an hour, and no longer', async () => {
    const { clock, list } = remembered('flaky');
    const first = await list();

    clock.now = 6 * MINUTE;
    const kept = await list();
    clock.now = 59 * MINUTE;
    const still = await list();
    clock.now = 61 * MINUTE;
    const gone = await list().then(() => 'listed', String);

    expect(kept).to.equal(first);
    expect(still).to.equal(first);
    expect(gone).to.contain('could not be reached');
  });

  it('a server that failed is not asked again at once, and then it is', async () => {
    const { clock, list, rows } = remembered('down');
    const fault = () => list().then(() => 'listed', String);

    const [first, second] = [await fault(), await fault()];
    const before = await rows('tools/list');
    clock.now = 16_000;
    await fault();

    expect(first).to.contain('could not be reached').and.to.equal(second);
    expect(before).to.have.length(1);
    expect(await rows('tools/list')).to.have.length(2);
  });

  it('nothing is shared between organisations, or between credentials', async () => {
    const { list, rows } = remembered('tools');

    await list(1, { 'x-api-key': 'one' });
    await list(2, { 'x-api-key': 'one' });
    await list(1, { 'x-api-key': 'two' });
    await list(1, { 'x-api-key': 'one' });

    const keys = (await rows('tools/list')).map(({ headers }) => headers['x-api-key']);
    expect(keys).to.deep.equal(['one', 'one', 'two']);
  });

  it('a session that the server has forgotten is opened anew, and the call is made once', async () => {
    const { servers, address, rows } = remembered('forgetful');
    const mine = servers.of(1);
    await mine.tools(address(), never);

    const answer = await mine.call(address(), call('remember'));

    expect(answer).to.equal('Remembered.');
    expect(await rows('initialize')).to.have.length(2);
    const calls = await rows('tools/call');
    expect(calls.map(({ headers }) => headers['mcp-session-id'])).to.deep.equal(['session-1', 'session-2']);
  });

  it('a session is ended when all is closed', async () => {
    const { servers, list, subject } = remembered('forgetful');
    await list();

    await servers.close();

    const rows = await world.mcp.ledger(subject);
    expect(rows.at(-1)).to.include({ method: 'DELETE' });
    expect(rows.at(-1)?.headers).to.include({ 'mcp-session-id': 'session-1' });
  });

  it('nothing of the process is followed any longer once no server is asked', async () => {
    const { address } = remembered('tools');
    const program = `
      import { executionAsyncId } from 'node:async_hooks';
      const { createMcpServers } = await import('./dist/src/clients/mcp/servers.js');
      const seen = {};
      // A promise that Node follows has a number of its own; all others have that of whatever they were made in.
      const look = (when) => Promise.all([1, 2, 3].map(async () => {
        await undefined;
        return executionAsyncId();
      })).then((ids) => (seen[when] = new Set(ids).size > 1));
      await look('before');
      const servers = createMcpServers({ fetch, log: {} });
      const tools = await servers.of(1).tools({ url: new URL('${address().url.href}'), headers: {} }, AbortSignal.timeout(10_000));
      await look('afterwards');
      await servers.close();
      console.log(JSON.stringify({ ...seen, tools: tools.length > 0 }));`;

    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { cwd: PROJECT_ROOT },
    );

    expect(JSON.parse(stdout)).to.deep.equal({ before: false, afterwards: false, tools: true });
  });
});

/** A refresh in the background has no end to wait for but its effect. */
async function untilChanged<T>(read: () => Promise<T>, from: T): Promise<T> {
  for (;;) {
    const now = await read();
    if (now !== from) return now;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
