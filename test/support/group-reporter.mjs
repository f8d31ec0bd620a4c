import { format } from 'node:util';
import Mocha from 'mocha';

const { EVENT_SUITE_END } = Mocha.Runner.constants;

/** Mocha's `spec`, told to the process that started this one: suite by suite, and the total at the end. */
export default class GroupReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    this.lines = [];
    Mocha.reporters.Base.consoleLog = (...words) => this.lines.push(format(...words));
    runner.on(EVENT_SUITE_END, (suite) => {
      if (suite.parent?.root) process.send({ suite: this.taken() });
    });
  }

  epilogue() {
    const { passes, failures, pending } = this.stats;
    this.lines = [];
    if (failures > 0) Mocha.reporters.Base.list(this.failures);
    process.send({ end: { passes, failures, pending, report: this.taken() } });
  }

  taken() {
    return this.lines.splice(0).join('\n').trimEnd();
  }
}
