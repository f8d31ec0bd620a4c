import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { openDb } from '../../db/open.js';
import type { DatabaseTarget } from '../../src/core/base/database-target.js';
import { aUser, storesOn } from '../db/fixtures.js';
import { describeOnEachEngine } from '../support/databases.js';
import { type FakeModel, startFakeModel, uniqueName } from '../support/fakes/fakes.js';
import { hang, say } from '../support/fakes/model-script.js';
import {
  makeDataDir,
  removeDataDir,
  type Service,
  startService,
  startServiceProcess,
} from '../support/service.js';

const ALWAYS = '1970-01-01T00:00:00.000Z';
const EACH = 7;
const BETWEEN_TRIES_MS = 250;

interface Spender {
  /** How often it was granted its part of a budget there. */
  take(target: DatabaseTarget, facts: object): Promise<number>;
  end(): Promise<unknown>;
}

async function startSpender(): Promise<Spender> {
  const script = 'test/budgets/spending-process.mjs';
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(process.execPath, [script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const nextLine = async () => ((await once(lines, 'line')) as [string])[0];
  await nextLine();
  return {
    async take(target, facts) {
      const told = nextLine();
      child.stdin.write(`${JSON.stringify({ target, ...facts })}\n`);
      return Number(await told);
    },
    end() {
      const ended = once(child, 'close');
      child.stdin.end();
      return ended;
    },
  };
}

// The same two on each engine.
let spenders: readonly Spender[] = [];
before(async () => {
  spenders = await Promise.all([startSpender(), startSpender()]);
});
after(() => Promise.all(spenders.map((spender) => spender.end())));

describeOnEachEngine(
  'two processes that spend one budget',
  (_open, _target, migrated) => {
    let target: DatabaseTarget;
    let db: Knex;
    let organizationId: number;
    before(async () => {
      target = await migrated();
      db = await openDb(target);
      ({ organizationId } = await aUser(storesOn(db)));
      // Has them open the database, so that both begin at once when it counts.
      await Promise.all(spenders.map(({ take }) => take(target, { holds: 0 })));
    });
    after(() => db.destroy());

    let scopes = 0;
    /** Both begin at the same time; how often each was granted its part. */
    async function bothTake(amount: number, { holds, spends }: { holds: number; spends: number }) {
      const { budgets } = storesOn(db);
      const { id: budgetId } = await budgets.create({
        ...{ organizationId, scope: { type: 'user', id: ++scopes, each: false } },
        ...{ unit: 'tokens', amount, period: 'total', timezone: 'UTC', alerts: [] },
        ...{ startsAt: undefined, endsAt: undefined },
      });
      const part = { budgetId, userId: 0, periodStart: ALWAYS, amount: EACH };
      await budgets.figures([part]);
      const granted = await Promise.all(spenders.map(({ take }) => take(target, { part, holds, spends })));
      const [{ used, reserved } = { used: -1, reserved: -1 }] = await budgets.figures([part]);
      return { granted: granted.reduce((sum, one) => sum + one, 0), used, reserved };
    }

    it('are granted what is left for, exactly so many times', async () => {
      const remainder = 40 * EACH + EACH - 1;

      const { granted, used, reserved } = await bothTake(remainder, { holds: 10, spends: 0 });

      expect({ granted, used, reserved }).to.deep.equal({ granted: 40, used: 0, reserved: 40 * EACH });
    });

    it('never spend a token more than there is, when each gives back what it did not need', async () => {
      const amount = 300;

      const { granted, used, reserved } = await bothTake(amount, { holds: 40, spends: 3 });

      expect({ used, reserved }).to.deep.equal({ used: 3 * granted, reserved: 0 });
      expect(used).to.be.within(amount / 2, amount);
    });
  },
  'suite',
);

describeOnEachEngine(
  'a process killed in the middle of a run',
  (_open, _target, migrated) => {
    let model: FakeModel;
    let dataDir: string;
    let env: Record<string, string>;
    let other: Service;
    before(async function () {
      this.timeout(60_000);
      const [target, folder, fake] = await Promise.all([migrated(), makeDataDir(), startFakeModel()]);
      [dataDir, model] = [folder, fake];
      env = {
        ...{ OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: `${model.url}/v1`, RATE_LIMIT: '0' },
        ...(target.kind === 'postgres' ? { DATABASE_URL: target.url } : {}),
      };
      other = await startService(env, { dataDir });
    });
    after(async () => {
      await Promise.all([other.stop(), model.stop()]);
      await removeDataDir(dataDir);
    });

    it('has what it held given back after its time limit, and another process spends it, once', async function () {
      this.timeout(60_000);
      const limitMs = 2_000;
      const llm = uniqueName('model');
      await model.script(llm, [hang('before-headers'), say('Hello.')], { repeat: true });
      const { id } = await other.createAssistant({ metadata: { connector: 'openai', llm } });
      const scope = { type: 'assistant', id };
      const made = await other.request<{ id: string }>('/lamb/v1/budgets', {
        body: { scope, unit: 'tokens', amount: 1_000, period: 'total' },
      });
      const read = async () => (await other.request(`/lamb/v1/budgets/${made.json.id}`)).json;
      const question = { messages: [{ role: 'user', content: 'Hello?' }], max_tokens: 900 };

      const dying = await startServiceProcess({ ...env, RUN_TIMEOUT_MS: String(limitMs) }, { dataDir });
      const askedAt = Date.now();
      const asked = dying.chat(id, question).catch(() => 'gone');
      await model.waitFor(llm, { requests: 1 });
      await dying.kill();
      expect(await asked).to.equal('gone');

      const refused = await other.chat(id, question);
      expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([429, '5']);
      expect(await read())
        .to.include({ used: 0 })
        .and.to.have.property('reserved')
        .that.is.at.least(900);
      let answer = refused;
      while (answer.status === 429 && Date.now() < askedAt + 15 * limitMs) {
        await delay(BETWEEN_TRIES_MS);
        answer = await other.chat(id, question);
      }

      expect(answer.status).to.equal(200);
      expect(Date.now() - askedAt).to.be.at.least(limitMs);
      expect(await read()).to.include({ used: 15, reserved: 0 });
    });
  },
  'suite',
);
