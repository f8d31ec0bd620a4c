import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { Caller } from '../../../src/core/access/caller.js';
import { AppError, rateLimited } from '../../../src/core/errors.js';
import type { CredentialStore } from '../../../src/core/stores.js';
import { createAdmission } from '../../../src/http/middleware/admission.js';
import { callerOf } from '../../../src/http/middleware/request-facts.js';

const KEY = 'bw_0123456789abcdef0123456789abcdef';

interface Asked {
  readonly path?: string;
  readonly isKnown?: boolean;
  readonly isLaunched?: boolean;
  readonly isSpent?: boolean;
}

/** What was asked of whom, in its order, and the status of a refusal. */
async function letIn({ path = '/v1/models', isKnown = true, isLaunched = false, isSpent = false }: Asked) {
  const order: string[] = [];
  const caller = { credentialId: 'key 1', ...(isLaunched && { launch: {} }) } as unknown as Caller;
  const admit = createAdmission({
    credentials: {
      callerOf: () => {
        order.push('credential');
        return Promise.resolve(isKnown ? caller : undefined);
      },
    } as unknown as CredentialStore,
    limit: () => {
      order.push('limit');
      if (isSpent) throw rateLimited('Too many.', 1);
    },
    visitorLimits: { request: () => Promise.resolve() },
  });
  const req = { method: 'GET', headers: { authorization: `Bearer ${KEY}` } } as IncomingMessage;
  const headers = new Map<string, string>();
  const res = {
    setHeader: (name: string, value: string) => headers.set(name, value),
  } as unknown as ServerResponse;
  const readBody = () => {
    order.push('body');
    return callerOf(res).credentialId;
  };
  const end = await admit(req, res, { path, readBody }).catch((fault: unknown) => (fault as AppError).status);
  return { order, end, headers };
}

describe('the way in', () => {
  it('asks for the credential, then for the limit, and reads the body last, when it is known who asks', async () => {
    expect(await letIn({})).to.deep.include({ order: ['credential', 'limit', 'body'], end: 'key 1' });
  });

  it('ends for a credential of nobody before its limit and its body', async () => {
    expect(await letIn({ isKnown: false })).to.deep.include({ order: ['credential'], end: 401 });
  });

  it('ends for whom a launch brought and who leaves their activity before the limit is taken from', async () => {
    expect(await letIn({ isLaunched: true })).to.deep.include({ order: ['credential'], end: 403 });
    expect((await letIn({ isLaunched: true, path: '/lamb/v1/lti/session' })).end).to.equal('key 1');
  });

  it('ends for a key that has had its share before the body is read', async () => {
    expect(await letIn({ isSpent: true })).to.deep.include({ order: ['credential', 'limit'], end: 429 });
  });

  it('leaves nothing of what it is answered with in the cache of a browser that others use too', async () => {
    expect([...(await letIn({})).headers]).to.deep.equal([['Cache-Control', 'no-store']]);
  });
});
