import Mocha from 'mocha';

/** Mocha's `spec`, and then one last line that a machine can read. */
export default class SpecWithTotal extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      const skipped = pending > 0 ? `, ${pending} skipped` : '';
      Mocha.reporters.Base.consoleLog(`${passes} passed, ${failures} failed${skipped}`);
    });
  }
}
