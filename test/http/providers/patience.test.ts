import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import openai from '../../../agents/connectors/openai.js';
import type { AuditEntry } from '../../../src/core/access/audit.js';
import type { Caller } from '../../../src/core/access/caller.js';
import type { Settings } from '../../../src/core/runs/run-context.js';
import { providerRoutes } from '../../../src/http/admin/providers.js';
import { setCaller } from '../../../src/http/middleware/request-facts.js';

const CALLER: Caller = {
  userId: 1,
  email: 'a@example.test',
  name: 'Ada',
  organizationId: 1,
  role: 'org_admin',
  via: 'session',
  credentialId: 'session 1',
};

/** Takes a request and never says a word. */
const silent = createServer(() => undefined);

describe('the test of a provider that never answers', () => {
  const audited: AuditEntry[] = [];
  const app = express()
    .use(express.json())
    .use((_req, res, next) => {
      setCaller(res, CALLER);
      next();
    })
    .use(
      providerRoutes({
        audit: { record: (entry: AuditEntry) => Promise.resolve(void audited.push(entry)) },
        organizations: { byId: () => Promise.resolve({ id: 1 }) },
        users: {},
        plugins: { connectors: new Map([[openai.name, openai]]) },
        settingsOf: () => Promise.resolve({ providers: {} } as unknown as Settings),
        runDeps: {},
        fetchTrusted: fetch,
        timeoutMs: 50,
      } as unknown as Parameters<typeof providerRoutes>[0]),
    );
  const server = createServer(app);
  const addressOf = (listening: typeof server) =>
    `http://127.0.0.1:${String((listening.address() as AddressInfo).port)}`;
  before(async () => {
    for (const each of [silent, server])
      await new Promise<void>((listening) => each.listen(0, '127.0.0.1', listening));
  });
  after(() => {
    for (const each of [silent, server]) {
      each.close();
      each.closeAllConnections();
    }
  });

  it('gives up after its time, says so, and is on the books', async () => {
    const answer = await fetch(`${addressOf(server)}/lamb/v1/organizations/1/providers/openai/test`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: 'sk-any', base_url: addressOf(silent) }),
    });
    const said = (await answer.json()) as { readonly ms: number };

    expect(said).to.deep.include({ ok: false, models: null, message: 'There was no answer in time.' });
    expect(said.ms).to.be.within(45, 50_000);
    expect(audited.map(({ action, reason }) => [action, reason])).to.deep.equal([
      ['test provider', 'openai: failed'],
    ]);
  });
});
