import { expect } from 'chai';
import { Agent } from 'undici';
import { AppError } from '../../src/core/errors.js';
import { ask, jsonIn } from '../../src/lti/exchange.js';
import { createTrustedFetch } from '../../src/outbound/fetch.js';
import { allAtOnce } from '../http/support/api-client.js';
import { type Fake, startFake } from '../support/fakes/fakes.js';
import { FAKE_HTTP } from '../support/fakes/http.js';
import { faultOf } from './signed-launch.js';

describe('a question to a platform, over the network', () => {
  let fake: Fake<unknown>;
  const agent = new Agent();
  const fetch = createTrustedFetch(agent);
  before(async () => {
    fake = await startFake<unknown>(FAKE_HTTP);
  });
  after(async () => {
    await fake.stop();
    await agent.destroy();
  });

  it('brings status and words, whatever they are called', async () => {
    const reply = await ask(fetch, {
      url: `${fake.url}/echo/a`,
      method: 'POST',
      headers: { x: 'y' },
      body: 'hello',
    });

    expect(reply.status).to.equal(200);
    expect(jsonIn(reply)).to.include({ method: 'POST' });
    expect(jsonIn(await ask(fetch, { url: `${fake.url}/badjson/a` }))).to.equal(undefined);
    expect(await ask(fetch, { url: `${fake.url}/empty/a` })).to.include({ status: 204, text: '' });
  });

  it('goes nowhere but where it was sent', async () => {
    const to = encodeURIComponent(`${fake.url}/echo/led-on`);
    const reply = await ask(fetch, { url: `${fake.url}/redirect/a?to=${to}` });

    expect(reply.status).to.equal(302);
    expect(await fake.ledger('led-on')).to.deep.equal([]);
  });

  for (const kind of ['large', 'endless', 'bomb']) {
    it(`hangs up on an answer that is ${kind}`, async () => {
      const fault = await faultOf(ask(fetch, { url: `${fake.url}/${kind}/a` }));

      expect(fault).to.be.instanceOf(AppError).and.have.property('code', 'upstream_failed');
    });
  }

  const slow = ['silent', 'drip'] as const;
  const asking = allAtOnce(slow, (kind) => faultOf(ask(fetch, { url: `${fake.url}/${kind}/a` })));
  for (const kind of slow) {
    it(`waits five seconds for an answer that is a ${kind}, from beginning to end`, async () => {
      const fault = await asking(kind);

      expect(fault).to.be.instanceOf(AppError).and.have.property('code', 'timeout');
    });
  }

  it('says no more of a line that broke than that it did', async () => {
    const fault = await faultOf(ask(fetch, { url: `${fake.url}/reset/a` }));

    expect(fault).to.be.instanceOf(AppError).and.have.property('code', 'upstream_failed');
    expect((fault as AppError).message).not.to.match(/ECONN|127\.0\.0\.1/);
  });
});
