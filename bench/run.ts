import { parseArgs } from 'node:util';
import { CHAT } from './behaviour.js';
import type { Bench, Competitor, Measures, Scenario } from './bench.js';
import { CONTENDERS } from './contenders.js';
import { writeDocs } from './docs.js';
import { startLoad } from './load/start.js';
import { machineTime, stolenSince } from './cpu.js';
import { findNode24 } from './other-node.js';
import { installPeers } from './peers.js';
import { LOAD_CORE, pinSelf, startNode } from './processes.js';
import {
  comparisonTable,
  nodeTable,
  partsTable,
  reasonList,
  remarks,
  shapeTable,
  systemCallTable,
  targetTable,
} from './report.js';
import {
  LATEST,
  PARTIAL,
  readResults,
  type Remark,
  type Results,
  resultsOf,
  writeResults,
} from './results.js';
import { reasonOf, warmUp } from './rounds.js';
import { budgets } from './scenarios/budgets.js';
import { burst, JUDGED } from './scenarios/burst.js';
import { firstToken } from './scenarios/first-token.js';
import { growth } from './scenarios/growth.js';
import { largeDatabase } from './scenarios/large-database.js';
import { node24 } from './scenarios/node-24.js';
import { openStreams } from './scenarios/open-streams.js';
import { paced } from './scenarios/paced.js';
import { parts } from './scenarios/parts.js';
import { shapes } from './scenarios/shapes.js';
import { start } from './scenarios/start.js';
import { systemCalls } from './scenarios/system-calls.js';
import { telemetry } from './scenarios/telemetry.js';
import { tools } from './scenarios/tools.js';
import { FULL, QUICK, type Settings } from './settings.js';

/** The whole comparison. Progress goes to standard error, the tables to standard output. */

const SCENARIOS = [
  burst,
  paced,
  shapes,
  tools,
  firstToken,
  openStreams,
  growth,
  parts,
  systemCalls,
  start,
  largeDatabase,
  budgets,
  telemetry,
  node24,
];

/** Before anything is measured. */
const warming: Scenario = {
  name: 'warming up',
  async run(bench) {
    await warmUp(bench, bench.running, CHAT, JUDGED);
    return {};
  },
};

const { values: asked } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    rounds: { type: 'string' },
    'write-docs': { type: 'boolean', default: false },
  },
});

// Whatever ends this ends what it has started.
process.once('SIGINT', () => process.exit(1)).once('SIGTERM', () => process.exit(1));
// Each of them listens for that end.
process.setMaxListeners(0);

const say = (line: string) => process.stderr.write(`${line}\n`);

if (asked['write-docs']) {
  await writeDocs(await readResults(LATEST));
} else {
  pinSelf(LOAD_CORE);
  installPeers(say);
  const usual = asked.quick ? QUICK : FULL;
  const settings = asked.rounds === undefined ? usual : { ...usual, rounds: roundsIn(asked.rounds) };
  const results = await measure(chosen(asked.only), settings);
  const isWhole = settings === FULL && asked.only === '';
  await writeResults(isWhole ? LATEST : PARTIAL, results);
  const told = [
    targetTable(results.targets),
    reasonList(results.targets),
    comparisonTable(results),
    shapeTable(results),
    partsTable(results),
    systemCallTable(results),
    nodeTable(results),
    remarks(results),
  ];
  process.stdout.write(`${told.filter((part) => part !== '').join('\n\n')}\n`);
  if (results.failures.length > 0) process.exitCode = 1;
}

function roundsIn(said: string): number {
  const rounds = Number(said);
  if (Number.isInteger(rounds) && rounds > 0) return rounds;
  throw new Error(`--rounds takes a whole number from 1; not ${said}.`);
}

function chosen(only: string): readonly Scenario[] {
  if (only === '') return SCENARIOS;
  return only.split(',').map((name) => {
    const scenario = SCENARIOS.find((one) => one.name === name);
    if (!scenario) throw new Error(`There is ${SCENARIOS.map((one) => one.name).join(', ')}; not ${name}.`);
    return scenario;
  });
}

async function measure(scenarios: readonly Scenario[], settings: Settings): Promise<Results> {
  const otherNode = scenarios.includes(node24) ? findNode24(say) : undefined;
  // So short a run is no match for a full one.
  const last = settings.hasExtras ? await readResults(LATEST) : undefined;
  const began = performance.now();
  const idle = machineTime();
  const model = await startNode(['bench/model-server.ts'], { core: LOAD_CORE });
  const load = startLoad();
  const running: Competitor[] = [];
  const contenders = CONTENDERS.filter(({ isExtra }) => settings.hasExtras || isExtra !== true);
  try {
    for (const contender of contenders) {
      say(`starting ${contender.title}`);
      running.push({ contender, stand: await contender.start(model.url) });
    }
    const found = await runAll(scenarios, { settings, load, running, otherNode, modelUrl: model.url });
    const titles = Object.fromEntries(contenders.map(({ name, title }) => [name, title]));
    const seconds = Math.round((performance.now() - began) / 1000);
    const facts = {
      command: ownCommand(),
      seconds,
      stolen: stolenSince(idle),
      ...(otherNode ? { otherNode: otherNode.version } : {}),
    };
    return await resultsOf({ ...facts, settings, titles, ...found }, last);
  } finally {
    for (const { stand } of running) await stand.stop();
    await load.stop();
    await model.stop();
  }
}

function ownCommand(): string {
  const options = process.argv.slice(2);
  return ['npm run bench', ...(options.length > 0 ? ['--'] : []), ...options].join(' ');
}

async function runAll(
  scenarios: readonly Scenario[],
  basis: Pick<Bench, 'settings' | 'load' | 'running' | 'otherNode' | 'modelUrl'>,
) {
  const failures: Remark[] = [];
  const skipped: Remark[] = [];
  const measures: Record<string, Measures[string]> = {};
  for (const { name: scenario, run } of [warming, ...scenarios]) {
    const began = performance.now();
    const tell = (line: string) => {
      say(`${scenario}: ${line} (${((performance.now() - began) / 1000).toFixed(0)} s)`);
    };
    const bench: Bench = {
      ...basis,
      say: tell,
      fail(contender, reason) {
        tell(`${contender} FAILED: ${reason}`);
        failures.push({ scenario, contender, reason });
      },
      skip(reason) {
        tell(reason);
        skipped.push({ scenario, reason });
      },
    };
    try {
      Object.assign(measures, await run(bench));
    } catch (fault) {
      bench.fail('the scenario itself', reasonOf(fault));
    }
  }
  return { measures, failures, skipped };
}
