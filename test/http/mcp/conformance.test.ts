import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startBearerProxy } from '../../support/fakes/bearer-proxy.js';
import { type Revision, textsOf, withMcp } from '../../support/mcp/client.js';
import { startProgram } from '../../support/program.js';
import { type Service, startServiceProcess } from '../../support/service.js';
import { makeToolBench, type ToolBench } from '../../support/tool-bench.js';
import { auditOf } from '../support/users-fixture.js';

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const ON_NODE_20 = './test/support/mcp/conformance-on-node-20.mjs';
const BASELINE = 'test/support/mcp/conformance-baseline.yml';

/** What the suite calls by name, as ordinary tools: they are run by the same route and the same gate as all others. */
const TOOLS = [
  { name: 'test_simple_text', run: `return { content: 'This is a simple text response for testing.' };` },
  {
    name: 'test_error_handling',
    run: `throw new AppError('This tool intentionally returns an error for testing', { status: 422, type: 't', code: 'c' });`,
  },
  {
    name: 'test_tool_with_progress',
    run: `for (const percent of [0, 50, 100]) ctx.progress('working', percent); return { content: 'Done.' };`,
  },
  { name: 'test_writing', danger: 'write', run: `return { content: 'Written.' };` },
] as const;

/** What it passes, so that nothing gets into the baseline unseen. */
const BOTH = [
  ...['tools-list', 'tools-call-simple-text', 'tools-call-error', 'tools-call-with-progress'],
  ...['server-sse-multiple-streams', 'prompts-list', 'dns-rebinding-protection'],
];
const PASSED: readonly (readonly [Revision, readonly string[]])[] = [
  ['2025-11-25', [...BOTH, 'server-initialize', 'server-session-lifecycle', 'ping']],
  [
    '2026-07-28',
    [
      ...[...BOTH, 'http-header-validation', 'sep-2164-resource-not-found'],
      ...['input-required-result-missing-input-response', 'input-required-result-unsupported-methods'],
      ...['input-required-result-ignore-extra-params', 'input-required-result-validate-input'],
    ],
  ],
];

describe('MCP with tools of somebody’s own', function () {
  this.timeout(60_000);
  let bench: ToolBench;
  let service: Service;
  before(async () => {
    bench = await makeToolBench(TOOLS);
    service = await startServiceProcess({ RATE_LIMIT: '0' }, { entry: bench.program('src/main.js') });
  });
  after(async () => {
    await service.stop();
    await bench.remove();
  });

  for (const [revision, scenarios] of PASSED) {
    it(`passes the official conformance suite for revision ${revision} but for what it does not offer`, async () => {
      const results = await mkdtemp(join(tmpdir(), 'bellwether-conformance-'));
      // The suite sends no credential.
      const proxy = await startBearerProxy(service.url, service.adminKey);
      const url = `${proxy.url}/lamb/v1/mcp`;

      const { code, said } = await startProgram(
        SUITE,
        ['server', '--url', url, '--requirements', revision, '--expected-failures', BASELINE, '-o', results],
        { NODE_OPTIONS: `--import ${ON_NODE_20}` },
      ).exited;
      await proxy.stop();
      await rm(results, { recursive: true });

      const passed = [...said.matchAll(/^✓ ([\w-]+): [1-9]\d* passed, 0 failed/gm)].map(([, name]) => name);
      expect(passed).to.have.members(scenarios);
      expect(code, said).to.equal(0);
    });
  }

  it('neither offers nor runs a tool that writes, in the same words as of a tool that does not exist', async () => {
    const call = (name: string) =>
      withMcp(service, service.adminKey, (client) => client.callTool({ name })).then(textsOf, String);

    const { tools } = await withMcp(service, service.adminKey, (client) => client.listTools());
    const [writing, absent] = [await call('test_writing'), await call('test_nothing')];
    await call('test_simple_text');

    expect(tools.map(({ name }) => name))
      .to.include('test_simple_text')
      .and.not.to.include('test_writing');
    expect(String(writing)).to.include('Tool test_writing not found');
    expect(String(writing).replace('test_writing', 'N')).to.equal(
      String(absent).replace('test_nothing', 'N'),
    );
    expect(await bench.wasRun('test_writing')).to.equal(false);
    expect(await bench.wasRun('test_simple_text')).to.equal(true);
    const { json: me } = await service.request<{ id: number }>('/lamb/v1/me');
    const denials = (await auditOf(service, { ...me, email: '', organizationId: 0, key: '' })).filter(
      ({ outcome }) => outcome === 'denied',
    );
    expect(denials).to.have.length(1);
    expect(denials[0]).to.include({ resource: 'tool test_writing', reason: 'not offered over MCP' });
  });
});
