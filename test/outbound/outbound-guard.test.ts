import { once } from 'node:events';
import { expect } from 'chai';
import type { Agent } from 'undici';
import { AppError } from '../../src/core/errors.js';
import { createGuardedFetch } from '../../src/outbound/fetch.js';
import { createGuardedAgent, type OutboundRules } from '../../src/outbound/guard.js';
import { listen, type Neighbour } from '../support/other-tenant.js';

describe('the outbound guard', () => {
  let inside: Neighbour;
  let other: Neighbour;
  const agents: Agent[] = [];

  before(async () => {
    inside = await listen((_req, res) => res.end('inside'));
    other = await listen((_req, res) => res.end('other'));
  });
  after(async () => {
    await Promise.all(agents.map((agent) => agent.destroy()));
    for (const { server } of [inside, other]) server.close();
  });
  beforeEach(() => {
    inside.heard.length = 0;
    other.heard.length = 0;
  });

  const guarded = (rules: Partial<OutboundRules> = {}) => {
    const agent = createGuardedAgent({ allow: [], trusted: [], ...rules });
    agents.push(agent);
    return createGuardedFetch({ dispatcher: agent, mostMs: 10_000 });
  };
  const faultOf = (asking: Promise<Response>) =>
    asking.then(
      () => undefined,
      (fault: unknown) => fault as AppError,
    );
  const at = (host: string, port: number | string = inside.port) => `http://${host}:${String(port)}/`;

  describe('refuses, before a byte is sent,', () => {
    for (const host of [
      'localhost',
      'LOCALHOST',
      '127.0.0.1',
      '127.1',
      '127.255.255.254',
      '2130706433',
      '017700000001',
      '0177.0.0.1',
      '0x7f000001',
      '0x7f.0.0.0x1',
      '0.0.0.0',
      '0',
      '①②⑦.0.0.1',
      '%31%32%37.0.0.1',
      '[::1]',
      '[0:0:0:0:0:0:0:1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[64:ff9b::127.0.0.1]',
      '[fe80::1]',
      '[fc00::1]',
      '[fd12:3456::1]',
      '[ff02::1]',
      '10.0.0.1',
      '10.255.255.255',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
    ]) {
      it(host, async () => {
        const fault = await faultOf(guarded()(at(host), { signal: AbortSignal.timeout(5_000) }));

        expect(fault).to.be.instanceOf(AppError).with.property('status', 403);
        expect(inside.heard).to.deep.equal([]);
      });
    }

    it('a name with a dot at its end, if it is known at all', async () => {
      const fault = await faultOf(guarded()(at('localhost.')));

      expect(fault).to.be.instanceOf(AppError);
      expect(inside.heard).to.deep.equal([]);
    });

    it('a user name that looks like an allowed host', async () => {
      const fault = await faultOf(
        guarded({ allow: ['example.org'] })(`http://example.org@127.0.0.1:${String(inside.port)}/`),
      );

      expect(fault).to.be.instanceOf(AppError);
      expect(inside.heard).to.deep.equal([]);
    });
  });

  it('is not fooled by a message: the refusal names no address', async () => {
    const fault = await faultOf(guarded()(at('127.0.0.1')));

    expect(fault?.message).not.to.match(/\d+\.\d+|localhost/);
  });

  describe('lets through what the list allows:', () => {
    const cases: [string, string, string][] = [
      ['a host by name', 'localhost', 'localhost'],
      ['a host by name in capitals', 'LocalHost', 'localhost'],
      ['an address', '127.0.0.1', '127.0.0.1'],
      ['an address, asked for by a name', '127.0.0.0/8', 'localhost'],
      ['an address in another spelling', '127.0.0.1', '2130706433'],
      ['an address within IPv6', '127.0.0.1', '[::ffff:127.0.0.1]'],
      ['a range', '127.0.0.0/8', '127.0.0.1'],
      ['a range within IPv6', '::ffff:127.0.0.0/104', '127.0.0.1'],
    ];
    for (const [what, allowed, host] of cases) {
      it(what, async () => {
        const allow = host === 'localhost' && allowed.includes('/') ? [allowed, '::1/128'] : [allowed];

        const response = await guarded({ allow })(at(host));

        expect(await response.text()).to.equal('inside');
      });
    }

    it('an IPv6 address, in brackets or not', async () => {
      for (const allow of ['::1', '[::1]', `[::1]:${String(inside.port)}`, '::/64']) {
        const response = await guarded({ allow: [allow] })(at('[0:0:0:0:0:0:0:1]'));

        expect(await response.text(), allow).to.equal('inside');
      }
    });

    for (const host of ['127.0.0.1', 'localhost']) {
      it(`${host} at one port, and at no other`, async () => {
        const fetch = guarded({ allow: [`${host}:${String(inside.port)}`] });

        const response = await fetch(at(host));
        const fault = await faultOf(fetch(at(host, other.port)));

        expect(await response.text()).to.equal('inside');
        expect(fault).to.be.instanceOf(AppError).with.property('status', 403);
        expect(other.heard).to.deep.equal([]);
      });
    }

    it('and nothing beside it', async () => {
      const fetch = guarded({
        allow: ['10.0.0.0/8', 'example.org', '127.0.0.2', '::1', 'not/a/range', '10.0.0.0/99'],
      });

      for (const host of ['127.0.0.1', 'localhost', '192.168.0.1']) {
        expect(await faultOf(fetch(at(host))), host)
          .to.be.instanceOf(AppError)
          .with.property('status', 403);
      }
      expect(inside.heard).to.deep.equal([]);
    });
  });

  it('trusts a URL an administrator has set for its host and port alone', async () => {
    const fetch = guarded({ trusted: [`${at('127.0.0.1')}v1?x=y`] });

    const trusted = await fetch(at('127.0.0.1'));
    const faults = [
      await faultOf(fetch(at('127.0.0.1', other.port))),
      await faultOf(fetch(at('localhost'))),
      await faultOf(fetch('http://127.0.0.1/')),
    ];

    expect(await trusted.text()).to.equal('inside');
    for (const fault of faults) expect(fault).to.be.instanceOf(AppError).with.property('status', 403);
    expect(other.heard).to.deep.equal([]);
  });

  it('knows a trusted URL by its default port, and by an IPv6 address', () => {
    const rules = { allow: [], trusted: ['https://kb.school.example', 'http://[::1]:8080/x'] };

    expect(() => createGuardedAgent(rules)).not.to.throw();
  });

  describe('for what cannot be reached', () => {
    it('a name that does not exist fails in our words', async () => {
      const fault = await faultOf(guarded()('http://nobody.invalid/'));

      expect(fault).to.be.instanceOf(AppError).with.property('code', 'upstream_failed');
    });

    it('a closed port fails in our words, without the address', async () => {
      const closed = await listen((_req, res) => res.end());
      closed.server.close();
      await once(closed.server, 'close');

      const fault = await faultOf(guarded({ allow: ['127.0.0.1'] })(at('127.0.0.1', closed.port)));

      expect(fault).to.be.instanceOf(AppError).with.property('code', 'upstream_failed');
      expect(fault?.message).not.to.include('127.0.0.1');
    });

    it('a URL that is none fails in our words', async () => {
      for (const url of ['', 'no url', 'http://', 'http://[::1', 'gopher://x']) {
        expect(await faultOf(guarded()(url)), url).to.be.instanceOf(AppError);
      }
    });

    it('a caller that has left hears its own reason', async () => {
      const leaving = AbortSignal.abort(new Error('left'));

      const fault = await faultOf(guarded({ allow: ['127.0.0.1'] })(at('127.0.0.1'), { signal: leaving }));

      expect(fault).to.have.property('message', 'left');
    });
  });
});
