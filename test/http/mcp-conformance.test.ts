import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type BearerProxy, startBearerProxy } from '../support/bearer-proxy.js';
import { startProgram } from '../support/program.js';
import { theWorld } from '../support/world.js';

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';

/**
 * Those of the official suite's scenarios that ask for nothing but a server. The others call tools, prompts and
 * resources of the suite's own naming (`test_simple_text`, `test://static-text`), which this service does not have.
 */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'prompts-list', 'dns-rebinding-protection'];

describe('the official conformance suite of MCP', function () {
  this.timeout(60_000);
  let proxy: BearerProxy;
  let results: string;
  before(async () => {
    const { service } = await theWorld();
    // The suite sends no credential.
    proxy = await startBearerProxy(service.url, service.adminKey);
    results = await mkdtemp(join(tmpdir(), 'bellwether-conformance-'));
  });
  after(async () => {
    await proxy.stop();
    await rm(results, { recursive: true });
  });

  for (const scenario of SCENARIOS) {
    it(`passes ${scenario}`, async () => {
      const given = ['server', '--url', `${proxy.url}/lamb/v1/mcp`, '--scenario', scenario, '-o', results];

      const { code, said } = await startProgram(SUITE, given, {}).exited;

      expect(code, said).to.equal(0);
      expect(said).to.match(/Passed: [1-9]\d*\/\d+, 0 failed/);
    });
  }
});
