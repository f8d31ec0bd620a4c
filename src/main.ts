import { existsSync } from 'node:fs';
import { pino } from 'pino';
import { banner } from './banner.js';
import { readConfig, secretsIn } from './config.js';
import { createRedactor } from './core/redactor.js';
import { whereItBroke } from './core/where-it-broke.js';
import { createLogger } from './log.js';
import { startService } from './wire.js';

/** The one file that touches the process: reads its environment, starts, stops. */
if (existsSync('.env')) process.loadEnvFile('.env');

const read = readConfig(process.env);
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
const log = createLogger(config.logLevel, redactor, pino.destination({ dest: 1, sync: true }));

// A plug-in that forgets to await must not take everybody else's answers with it.
process.on('unhandledRejection', (fault) => {
  log.error({ fault: whereItBroke(fault) }, 'a rejection was not handled');
});

const starting = startService(config, { log, redactor });

/** Asked to stop while still starting: start first, then stop in good order. */
const stop = (signal: string, exitCode: number) => {
  log.info({ signal }, 'stopping');
  starting
    .then((service) => service.stop())
    .then(
      () => {
        log.info({}, 'stopped');
        process.exit(exitCode);
      },
      (fault: unknown) => {
        log.error({ fault: whereItBroke(fault) }, 'could not stop in good order');
        process.exit(1);
      },
    );
};
process.once('SIGTERM', (signal) => {
  stop(signal, 0);
});
process.once('SIGINT', (signal) => {
  stop(signal, 0);
});
// After this anything may be half-done: end in good order and let whoever started us start us anew.
process.once('uncaughtException', (fault) => {
  log.error({ fault: whereItBroke(fault) }, 'an exception was not caught');
  stop('uncaughtException', 1);
});

try {
  const service = await starting;
  log.info({ url: service.url }, 'listening');
  process.stdout.write(banner(service));
} catch (fault) {
  process.stderr.write(`Bellwether could not start: ${whyNot(fault)}\n`);
  process.exit(1);
}

/** For the administrator's eyes, on the terminal where they started it. */
function whyNot(fault: unknown): string {
  const { code, message } = fault as { readonly code?: string; readonly message?: string };
  if (code === 'EADDRINUSE') return `port ${String(config.port)} is in use. Set PORT to a free one.`;
  if (code === 'EACCES' || code === 'EPERM') {
    return `no permission for port ${String(config.port)} or for ${config.dataDir}. Set PORT or DATA_DIR.`;
  }
  if (code === 'EEXIST' || code === 'ENOTDIR' || code === 'EROFS' || code === 'ENOSPC') {
    return `${config.dataDir} cannot be used as a folder to write to (${code}). Set DATA_DIR to another.`;
  }
  return redactor.redact(message ?? 'unknown reason');
}
