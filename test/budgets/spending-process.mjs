/** Run as a process of its own: whenever it is told to, takes as much of a budget as it is given, and says how often it was. */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { openDb } from '../../dist/db/open.js';
import { createStores } from '../../dist/db/stores.js';

const AT_A_TIME = 8;
const opened = new Map();
const expiresAt = '2099-01-01T00:00:00.000Z';

writeSync(1, 'ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  const { target, ...facts } = JSON.parse(line);
  const { budgets } = await storesIn(target);
  const granted = await Promise.all(Array.from({ length: AT_A_TIME }, () => takeOnAndOn(budgets, facts)));
  writeSync(1, `${granted.reduce((sum, one) => sum + one, 0)}\n`);
}
for (const { db } of opened.values()) await db.destroy();
process.exit();

async function storesIn(target) {
  const key = JSON.stringify(target);
  if (!opened.has(key)) {
    const db = await openDb(target);
    const folders = { filesFolder: 'unused', documentsFolder: 'unused', attachmentsFolder: 'unused' };
    opened.set(key, {
      db,
      stores: createStores(db, { ...folders, catalogue: { placeholderOf: () => undefined } }),
    });
  }
  return opened.get(key).stores;
}

/** Holds what it is granted; or spends a part of it and gives the rest back, until nothing is left. */
async function takeOnAndOn(budgets, { part, holds, spends }) {
  let granted = 0;
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
  return granted;
}
