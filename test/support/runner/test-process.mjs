// Runs test files one after another, as they are handed out, and tells the process that does what came of each.
import { setTimeout } from 'node:timers';
import { format } from 'node:util';
import Mocha from 'mocha';
import { endAll } from '../at-the-end.ts';
import { restoreBuiltins } from './builtins.mjs';
import './same-values.ts';

if (process.env.TEST_TMPDIR) process.env.TMPDIR = process.env.TEST_TMPDIR;

const { Base, Spec } = Mocha.reporters;
const { EVENT_SUITE_END } = Mocha.Runner.constants;
const timeout = Number(process.argv[2]);
/** How long a process may take to end by itself once everything in it was stopped. */
const LAST_MS = 10_000;

/** Mocha's `spec`, suite by suite, so that two processes do not talk at once. */
class SuiteReporter extends Spec {
  constructor(runner, options) {
    super(runner, options);
    const lines = [];
    Base.consoleLog = (...words) => lines.push(format(...words));
    this.taken = () => lines.splice(0).join('\n').trimEnd();
    runner.on(EVENT_SUITE_END, (suite) => {
      if (suite.parent?.root) process.send({ suite: this.taken() });
    });
  }

  epilogue() {
    const { passes, failures, pending } = this.stats;
    this.taken();
    if (failures > 0) Base.list(this.failures);
    const replaced = restoreBuiltins();
    if (replaced.length > 0)
      Base.consoleLog('  It has replaced what comes with the language:', replaced.join(', '));
    const faults = failures + Math.sign(replaced.length);
    process.send({ result: { passes, failures: faults, pending, report: this.taken() } });
  }
}

/** A test has left something open. To wait for it would be to wait for ever. */
function endByForce() {
  process.stderr.write(`Still open after the last test: ${process.getActiveResourcesInfo().join(', ')}\n`);
  process.exit(1);
}

/** Whoever hands out the files was stopped. */
function endWithParent() {
  process.exit(1);
}

process.once('disconnect', endWithParent);
process.on('message', async ({ file }) => {
  if (file === undefined) {
    await endAll();
    process.off('disconnect', endWithParent);
    process.disconnect();
    setTimeout(endByForce, LAST_MS).unref();
    return;
  }
  const mocha = new Mocha({ timeout, reporter: SuiteReporter, forbidOnly: true }).addFile(file);
  await mocha.loadFilesAsync();
  mocha.run(() => mocha.dispose());
});
process.send({ ready: true });
