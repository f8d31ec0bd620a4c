/** Run as a process of its own: once told to, takes as much of a budget as it is given, and says how often it was. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { openDb } from '../../dist/db/open.js';
import { createStores } from '../../dist/db/stores.js';

const AT_A_TIME = 8;
const { target, part, holds, spends } = JSON.parse(process.argv[2]);
const db = await openDb(target);
const { budgets } = createStores(db, {
  filesFolder: 'unused',
  documentsFolder: 'unused',
  attachmentsFolder: 'unused',
  catalogue: { placeholderOf: () => undefined },
});
const expiresAt = '2099-01-01T00:00:00.000Z';

writeSync(1, 'ready\n');
await once(process.stdin, 'data');

let granted = 0;
/** Holds what it is granted; or spends a part of it and gives the rest back, until nothing is left. */
async function takeOnAndOn() {
  for (let n = 0; n < holds; n++) {
    const id = randomUUID();
    const isGranted = await budgets.reserve({ id, runId: 'run', parts: [part], expiresAt }, []);
    if (isGranted) granted++;
    if (isGranted && spends > 0) {
      const tokens = (amount) => ({ tokens: amount, cost: 0, requests: 0 });
      const accounts = [{ ...part, unit: 'tokens' }];
      await budgets.settle([{ holdId: id, accounts, held: tokens(part.amount), spent: tokens(spends) }]);
    }
  }
}
await Promise.all(Array.from({ length: AT_A_TIME }, takeOnAndOn));

writeSync(1, `${JSON.stringify({ granted })}\n`);
await db.destroy();
process.exit();
