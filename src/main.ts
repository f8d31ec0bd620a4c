import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { pino } from 'pino';
import { secretsIn } from './config.js';
import { createRedactor } from './core/base/redactor.js';
import { errorLocation } from './core/log.js';
import { createLogger, createSharedLogger } from './log.js';
import type { Program, Stop } from './serve.js';
import { keepCompiledCode } from './startup/compile-cache.js';
import { noteCleanStop } from './startup/database-damage.js';
import { readEnvironment } from './startup/environment.js';

/** The one file that touches the process: reads its environment, starts, stops. */
keepCompiledCode();

// A worker has its keeper's environment, whatever the file says by now.
if (cluster.isPrimary && existsSync('.env')) process.loadEnvFile('.env');

const read = await readEnvironment(process.env);
if (!read.ok) {
  process.stderr.write(
    `The configuration has faults:\n${read.faults.map((fault) => `  - ${fault}\n`).join('')}`,
  );
  process.stderr.write('Mend them in the environment or in .env (see .env.example), then start again.\n');
  process.exit(1);
}
const { config } = read;

const redactor = createRedactor();
secretsIn(config).forEach(redactor.protect);
// At once, so that no line is lost however the process ends.
const lines = pino.destination({ dest: 1, sync: true });
const log =
  config.workers === 1
    ? createLogger(config.logLevel, redactor, lines)
    : createSharedLogger(config.logLevel, redactor, lines, process.pid);

// A plug-in that forgets to await must not take everybody else's answers with it.
process.on('unhandledRejection', (fault) => {
  log.error({ fault: errorLocation(fault) }, 'a rejection was not handled');
});

const program: Program = {
  print(text) {
    process.stdout.write(text);
  },
  complain(text) {
    process.stderr.write(text);
  },
  exit(code) {
    if (code === 0 && cluster.isPrimary) noteCleanStop(config.dataDir);
    process.exit(code);
  },
};
const stop = await begin();
process.once('SIGTERM', (signal) => {
  stop(signal, 0);
});
process.once('SIGINT', (signal) => {
  stop(signal, 0);
});
// After this anything may be half-done: end in good order and let whoever started us start us anew.
process.once('uncaughtException', (fault) => {
  log.error({ fault: errorLocation(fault) }, 'an exception was not caught');
  stop('uncaughtException', 1);
});

/** The supervisor loads nothing of what its workers load, so that its process stays small. */
async function begin(): Promise<Stop> {
  const diagnostics = { log, redactor };
  if (cluster.worker) {
    const { serveAsWorker } = await import('./workers/worker.js');
    return serveAsWorker(cluster.worker, config, diagnostics, program);
  }
  if (config.workers > 1) {
    const { keepWorkers } = await import('./workers/supervisor.js');
    return keepWorkers(config, log, program);
  }
  const { serveAlone } = await import('./serve.js');
  return serveAlone(config, diagnostics, program);
}
