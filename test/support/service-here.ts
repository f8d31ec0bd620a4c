import { type Config, secretsIn } from '../../src/config.js';
import { createRedactor } from '../../src/core/base/redactor.js';
import { createLogger } from '../../src/log.js';
import { serveAlone } from '../../src/serve.js';
import { noteCleanStop } from '../../src/startup/database-damage.js';
import { readEnvironment } from '../../src/startup/environment.js';

export interface ServiceHere {
  /** The exit code that a process would have ended with. */
  readonly ended: Promise<number>;
  stop(): void;
}

export interface StartHere {
  /** Hears what would go to the terminal: the log, and words for whoever started it. */
  say(text: string): void;
  /** The database has this administrator already: to check the password again would take a tenth of a second. */
  readonly hasAdministrator: boolean;
  /** Scrypt's N for passwords, where it is to be more than next to nothing: for tests of what it takes to check them. */
  readonly passwordCost: number | undefined;
}

/** A thousandth of a second in place of the tenth that 2 ** 15 takes: tests set and check hundreds of passwords. */
const EASY_PASSWORDS = 2 ** 8;

/** Does what `main.ts` does, but for what needs a process: many services can run in one. */
export async function startHere(
  env: Readonly<Record<string, string>>,
  { say, hasAdministrator, passwordCost = EASY_PASSWORDS }: StartHere,
): Promise<ServiceHere> {
  const read = await readEnvironment(env);
  if (!read.ok) throw new Error(`The configuration has faults: ${read.faults.join('; ')}`);
  const config = { ...read.config, passwordCost };
  const redactor = createRedactor();
  secretsIn(config).forEach(redactor.protect);
  const log = createLogger(config.logLevel, redactor, { write: say });
  let end: (code: number) => void;
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  const program = {
    print: say,
    complain: say,
    exit(code: number) {
      if (code === 0) noteCleanStop(config.dataDir);
      end(code);
    },
  };
  const stop = serveAlone(hasAdministrator ? withoutPassword(config) : config, { log, redactor }, program);
  return {
    ended,
    stop: () => {
      stop('SIGTERM', 0);
    },
  };
}

const withoutPassword = (config: Config): Config => ({
  ...config,
  admin: { ...config.admin, password: undefined },
});

/** Of the same build: what the service says of its routes, and what they are made with. */
export { describeApi } from '../../src/http/openapi/document.js';
export { default as express } from 'express';
