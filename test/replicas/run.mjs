// Three replicas, in full: all rules, and minutes in which replicas are killed, drained and cut off from their database.
//
//   npm run test:replicas                  once
//   npm run test:replicas -- --times 10    again and again, each time with replicas and a database of its own
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { endAll } from '../support/at-the-end.ts';

const { times } = parseArgs({ options: { times: { type: 'string', default: '1' } } }).values;
if (!/^[1-9]\d{0,3}$/.test(times)) throw new Error('--times takes a whole number from 1 to 9999.');
process.env.TEST_REPLICAS = 'full';

const total = { passes: 0, failures: 0 };
for (let time = 1; time <= Number(times); time++) {
  if (times !== '1') process.stdout.write(`\n${time} of ${times}\n`);
  const { passes, failures } = await runOnce(time);
  total.passes += passes;
  total.failures += failures;
}
await endAll();
process.stdout.write(`\n${total.passes} passed, ${total.failures} failed\n`);
process.exit(total.failures === 0 ? 0 : 1);

async function runOnce(time) {
  const mocha = new Mocha({ reporter: 'spec' }).addFile('test/replicas/three-replicas.test.ts');
  // Under another name each time: a module is run once.
  await mocha.loadFilesAsync({ esmDecorator: (file) => `${file}?time=${time}` });
  return new Promise((resolve) => {
    const runner = mocha.run(() => resolve(runner.stats));
  });
}
