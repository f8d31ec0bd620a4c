import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EndedRun } from '../../src/core/runs/telemetry.js';
import { createMetrics } from '../../src/telemetry/metrics.js';
import { CHAT } from '../behaviour.js';
import type { Competitor, Scenario } from '../bench.js';
import { OURS } from '../contenders.js';
import { cpuPerRequest, pairedRatio, warmUp } from '../rounds.js';
import { type BenchService, startService } from '../service.js';

/** Prometheus asks every 15 s or every minute; here, so that no measurement goes without. */
const SCRAPE_EVERY_MS = 300;

/** The burst figure while metrics are read, and while every run is sent as a trace, beside the same without either. */
export const telemetry: Scenario = {
  name: 'telemetry',
  async run(bench) {
    const ours = bench.running.find(({ contender }) => contender.name === OURS);
    if (!ours) return {};
    const collector = await startCollector();
    const [plain, traced] = await Promise.all([
      startService(bench.modelUrl),
      startService(bench.modelUrl, { env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } }),
    ]);
    let isScraped = false;
    const scraping = setInterval(() => {
      if (isScraped) void fetch(`${plain.url}/metrics`).then((answer) => answer.text());
    }, SCRAPE_EVERY_MS);
    const scrape = (wanted: boolean) => () => {
      isScraped = wanted;
    };
    const as = (service: BenchService): Competitor => ({
      ...ours,
      stand: { ...service, modelFor: service.assistantFor },
    });
    try {
      await warmUp(bench, [as(plain), as(traced)], CHAT);
      // Of one service, in turn: two differ by several per cent by what their compilers happened to do.
      const scraped = { ...as(plain), before: scrape(true) };
      const scrapedRatio = await pairedRatio(bench, scraped, { ...as(plain), before: scrape(false) }, CHAT);
      const tracedRatio = await pairedRatio(bench, as(traced), as(plain), CHAT);
      const chatNs = await cpuPerRequest(bench, as(plain), { behaviour: CHAT });
      return {
        countingShare: { [OURS]: (100 * countingNs()) / chatNs },
        scrapedRatio: { [OURS]: scrapedRatio },
        tracedRatio: { [OURS]: tracedRatio },
      };
    } finally {
      clearInterval(scraping);
      await Promise.all([plain.stop(), traced.stop()]);
      collector.stop();
    }
  },
};

/** Takes what is sent to it, on the core of the load. */
async function startCollector() {
  const server = createServer((req, res) => {
    req.resume().once('end', () => res.setHeader('Content-Type', 'application/json').end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const COUNTED = 200_000;

/** What counting a chat of one model call costs: it is always on, so no service is without. */
function countingNs(): number {
  const labels = { tool: (name: string) => name, provider: (name: string) => name };
  const count = createMetrics().countRuns(labels);
  const fingerprint = { chars: 1, sha256: '' };
  const usage = { promptTokens: 100, completionTokens: 200 };
  const at = new Date().toISOString();
  const run: EndedRun = {
    record: {
      ...{ id: 'run_1', parentRunId: undefined, assistantId: 1, assistantVersion: 1, organizationId: 1 },
      ...{ userId: 1, via: 'api', conversationId: undefined, activityId: undefined, status: 'completed' },
      ...{ errorCode: undefined, startedAt: at, ms: 1_200, iterations: 1, capped: false, usage },
      steps: [
        {
          ...{ kind: 'model', ok: true, startedAt: at, ms: 1_100, iteration: 1, usage },
          ...{ input: fingerprint, output: fingerprint, connector: 'openai', model: 'm' },
        },
      ],
    },
    ...{ firstTextMs: 300, isHandedOver: false, traceparent: undefined },
  };
  for (let i = 0; i < COUNTED; i++) count(run);
  const began = process.cpuUsage();
  for (let i = 0; i < COUNTED; i++) count(run);
  const { user, system } = process.cpuUsage(began);
  return (1_000 * (user + system)) / COUNTED;
}
