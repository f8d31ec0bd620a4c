// Three replicas, in full: all rules, and minutes in which replicas are killed, drained and cut off from their database.
//
//   npm run test:replicas                          once
//   npm run test:replicas -- --times 10            again and again, each time with replicas and a database of its own
//   npm run test:replicas -- --times 10 --short    as it is among all other tests: a minute each
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';

const { times, short } = parseArgs({
  options: { times: { type: 'string', default: '1' }, short: { type: 'boolean', default: false } },
}).values;
if (!/^[1-9]\d{0,3}$/.test(times)) throw new Error('--times takes a whole number from 1 to 9999.');

const MOCHA = ['node_modules/mocha/bin/mocha.js', '--config', '.mocharc.json'];
const env = { ...process.env, TEST_REPLICAS: short ? 'short' : 'full' };

let passed = 0;
for (let time = 1; time <= Number(times); time++) {
  process.stdout.write(`\n${time} of ${times}\n`);
  // In a process of its own: nothing of one time is left for the next.
  const run = spawn(process.execPath, [...MOCHA, 'test/replicas/three-replicas.test.ts'], {
    ...{ env, stdio: 'inherit' },
  });
  const [code] = await once(run, 'exit');
  if (code === 0) passed += 1;
}
process.stdout.write(`\n${passed} of ${times} passed\n`);
process.exit(passed === Number(times) ? 0 : 1);
