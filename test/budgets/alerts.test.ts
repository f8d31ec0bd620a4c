import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { pino } from 'pino';
import { createAlertWatch, noticeReached } from '../../src/budgets/alerts.js';
import { NOTHING } from '../../src/core/budgets/budget.js';
import { periodAt } from '../../src/core/budgets/period.js';
import type { Stores } from '../../src/core/stores.js';
import { aUser, storesOn } from '../db/fixtures.js';
import { describeOnEachEngine } from '../support/databases.js';
import { sendJson, type ServedFake, serveFake } from '../support/fakes/ledger-server.js';

const SECRET = 'a secret of the tests';
const SUBJECT = 'alerts';

describeOnEachEngine('the alerts of budgets', (open) => {
  let stores: Stores;
  let receiver: ServedFake;
  let statuses: number[];
  beforeEach(async () => {
    stores = storesOn(await open());
    statuses = [];
    receiver = await serveFake({
      subjectOf: () => SUBJECT,
      answer: ({ res }) => sendJson(res, statuses.shift() ?? 200, {}),
    });
  });
  afterEach(() => receiver.stop());

  const aBudget = async (alerts: readonly number[] = [50, 80, 100]) => {
    const { id, organizationId } = await aUser(stores);
    return await stores.budgets.create({
      ...{ organizationId, scope: { type: 'user', id, each: false }, unit: 'tokens', amount: 1_000 },
      ...{ period: 'day', timezone: 'Europe/Madrid', startsAt: undefined, endsAt: undefined, alerts },
    });
  };
  let holds = 0;
  const spend = async (budgetId: string, amount: number, at = new Date()) => {
    const account = { budgetId, userId: 0, periodStart: periodAt(at, 'day', 'Europe/Madrid').start };
    await stores.budgets.figures([account]);
    const holdId = `hold ${String(holds++)}`;
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    await stores.budgets.reserve(
      { id: holdId, runId: 'run_1', parts: [{ ...account, amount }], expiresAt },
      [],
    );
    const [accounts, tokens] = [[{ ...account, unit: 'tokens' as const }], { ...NOTHING, tokens: amount }];
    await stores.budgets.settle([{ holdId, accounts, held: tokens, spent: tokens }]);
  };
  const watch = (pausesMs = [20, 20]) =>
    createAlertWatch({
      ...{
        budgets: stores.budgets,
        fetch,
        log: pino({ level: 'silent' }),
        pace: { lookMs: 20, pausesMs },
      },
      webhook: { url: receiver.url, secret: SECRET },
    });
  const arrived = async (requests: number) => {
    expect(await receiver.ledger.reaches(SUBJECT, { finished: requests }, 10_000)).to.equal(true);
  };
  const sent = () =>
    receiver.ledger.of(SUBJECT).map(({ body, headers }) => ({ body: body as Sent, headers }));
  interface Sent {
    readonly threshold: number;
  }

  it('are sent once for each share that was reached, signed, with nothing of a person', async () => {
    const budget = await aBudget();
    await spend(budget.id, 850);
    // One that stops before it has heard that an alert arrived leaves it to the other: not within this test.
    const watches = [1, 2].map(() => watch([60_000]));
    for (const one of watches) one.start();

    await arrived(2);
    await Promise.all(watches.map((one) => one.stop()));

    const told = sent().sort((a, b) => a.body.threshold - b.body.threshold);
    expect(told.map(({ body }) => body.threshold)).to.deep.equal([50, 80]);
    const [{ body, headers }] = told as [(typeof told)[number]];
    expect(Object.keys(body)).to.deep.equal(['budget_id', 'scope', 'threshold', 'used', 'amount', 'at']);
    expect(body).to.deep.include({ budget_id: budget.id, used: 850, amount: 1_000 });
    expect(headers['x-bellwether-signature']).to.equal(
      `sha256=${createHmac('sha256', SECRET).update(JSON.stringify(body)).digest('hex')}`,
    );
  });

  it('are sent again while they are not taken, and given up after the last try', async () => {
    statuses = [500, 503, 500, 500];
    const { id } = await aBudget([50]);
    await spend(id, 500);
    const one = watch();
    one.start();

    await arrived(3);
    // Another one comes through afterwards, and the first is not sent again.
    const other = await aBudget([50]);
    await spend(other.id, 1_000);
    await arrived(5);
    await one.stop();

    const ids = sent().map(({ body }) => (body as Sent & { budget_id: string }).budget_id);
    expect(ids).to.deep.equal([id, id, id, other.id, other.id]);
  });

  it('are kept for whoever looks, also without an address, and once a period', async () => {
    const budget = await aBudget();
    await spend(budget.id, 1_000);
    const yesterday = new Date(Date.now() - 86_400_000);
    await spend(budget.id, 1_000, yesterday);

    await noticeReached([budget], stores.budgets.alerts);
    await noticeReached([budget], stores.budgets.alerts);

    const kept = await stores.budgets.alerts.list([budget.id], 10);
    const today = periodAt(new Date(), 'day', 'Europe/Madrid').start;
    const ofToday = kept.filter(({ periodStart }) => periodStart === today);
    expect(ofToday.map(({ threshold }) => threshold).sort()).to.deep.equal([100, 50, 80]);
    expect(ofToday[0]).to.include({ used: 1_000, amount: 1_000 });
  });
});
