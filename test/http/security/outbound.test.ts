import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, say } from '../../support/fakes/model-script.js';
import { httpTool, type OutboundWorld } from '../../support/outbound-service.js';
import { theOutboundWorld } from '../../support/test-service.js';
import { allAtOnce } from '../support/api-client.js';

const REFUSED = 'Error: This address may not be called from here.';

/** Ways to write the address of this machine, or of one that is near it. */
const PRIVATE_HOSTS = [
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.255.255.254',
    '127.0.0.1.',
  ],
  ...[
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '0x7f000001',
    '0x7f.1',
    '0x7f.0x0.0x0.0x1',
    '0.0.0.0',
    '0',
    '①②⑦.⓪.⓪.①',
  ],
  ...[
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
  ],
  ...[
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::a00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2002:a00:1::1]',
    '[2001:0:7f00:1::]',
  ],
  ...['[fe80::1]', '[fec0::1]', '[fc00::1]', '[fd12:3456::1]', '[ff02::1]', '[100::1]', '[5f00::1]'],
  ...[
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '2852039166',
    '100.64.0.1',
  ],
  ...['192.0.0.1', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
];

describe('a tool that calls out', () => {
  let world: OutboundWorld;
  before(async () => {
    world = await theOutboundWorld();
  });
  const portOf = (url: string) => new URL(url).port;
  const ask = async (url: string, config: object = {}, args: object = {}) =>
    (await world.bring([call('http_request', args), say('ok')], httpTool({ url, ...config })))[0] ?? '';

  describe('is not let to', () => {
    const asked = allAtOnce(PRIVATE_HOSTS, async (host) => {
      world = await theOutboundWorld();
      return ask(`http://${host}:${portOf(world.forbidden.url)}/echo/private`);
    });
    for (const host of PRIVATE_HOSTS) {
      it(host, async () => {
        const told = await asked(host);

        // A name with a dot at its end may also be unknown here.
        if (host === 'localhost.') expect(told).to.match(/^Error: (This address|The other service)/);
        else expect(told).to.equal(REFUSED);
      });
    }

    it('any of these: nothing arrived there', async () => {
      await Promise.all(PRIVATE_HOSTS.map(asked));

      expect(await world.forbidden.ledger('private')).to.deep.equal([]);
    });
  });

  it('is let to the port on the list, in whatever spelling, and to no other of that host', async () => {
    const subject = uniqueName('port');
    const [allowed, not] = [portOf(world.http.url), portOf(world.forbidden.url)];

    const told = await ask(`http://2130706433:${allowed}/text/${subject}`);
    const refused = await ask(`http://127.0.0.1:${not}/text/${subject}`);

    expect(told).to.contain('Plain');
    expect(refused).to.equal(REFUSED);
    expect(await world.forbidden.ledger(subject)).to.deep.equal([]);
  });

  describe('takes no more than it can:', () => {
    const TOO_MUCH = ['huge', 'endless', 'bomb'] as const;
    const TOO_LONG = ['drip', 'silent'] as const;
    const meet = async (behaviour: string) => {
      world = await theOutboundWorld();
      const subject = uniqueName(behaviour);
      const told = await ask(`${world.http.url}/${behaviour}/${subject}`);
      return { told, subject };
    };
    const waiting = allAtOnce(TOO_LONG, meet);
    for (const behaviour of [...TOO_MUCH, ...TOO_LONG]) {
      it(`${behaviour} ends, for the model in a sentence and for the server with a closed line`, async () => {
        const isTooLong = behaviour === 'drip' || behaviour === 'silent';
        // What is sent as fast as it can be is met by itself: side by side they would only wait for each other.
        const { told, subject } = await (isTooLong ? waiting(behaviour) : meet(behaviour));

        expect(told).to.equal(
          isTooLong
            ? 'Error: The tool took too long.'
            : 'Error: The other service sent more than can be taken.',
        );
        // A bomb is small on the wire: it may have been sent whole.
        if (behaviour !== 'bomb') await world.http.waitFor(subject, { closed: 1 });
      });
    }
  });

  describe('at a redirect', () => {
    const headers = {
      'X-Api-Key': 'canary-key',
      Authorization: 'Bearer canary',
      Cookie: 'a=canary',
      'X-Trace': 'canary',
    };
    const via = (to: string, status = 302) =>
      `${world.http.url}/redirect/via?status=${String(status)}&to=${encodeURIComponent(to)}`;
    const body = { method: 'POST', args: { type: 'object', properties: { note: { type: 'string' } } } };

    it('within one server takes everything along', async () => {
      const subject = uniqueName('same');

      await ask(via(`/echo/${subject}`), { headers });

      const [row] = await world.http.ledger(subject);
      expect(row?.headers).to.include({ 'x-api-key': 'canary-key', authorization: 'Bearer canary' });
    });

    for (const status of [301, 302, 303, 307, 308]) {
      it(`${String(status)} to another server takes no header along that the author set`, async () => {
        const subject = uniqueName('cross');

        const told = await ask(via(`${world.other.url}/echo/${subject}`, status), {
          headers: { ...headers, Accept: 'text/x-own', 'User-Agent': 'School/1' },
        });

        const [row] = await world.other.ledger(subject);
        expect(JSON.parse(told)).to.include({ method: 'GET' });
        expect(row?.headers).to.include({ accept: 'text/x-own', 'user-agent': 'School/1' });
        expect(JSON.stringify(row?.headers)).not.to.contain('canary');
      });
    }

    it('back to the first server, the headers stay behind all the same', async () => {
      const subject = uniqueName('back');
      const back = `${world.other.url}/redirect/there?to=${encodeURIComponent(`${world.http.url}/echo/${subject}`)}`;

      await ask(via(back), { headers });

      const [row] = await world.http.ledger(subject);
      expect(row).to.include({ outcome: 'echo' });
      expect(JSON.stringify(row?.headers)).not.to.contain('canary');
    });

    for (const status of [301, 302, 303]) {
      it(`${String(status)} turns a POST into a GET without its body`, async () => {
        const subject = uniqueName('post');

        await ask(via(`${world.other.url}/echo/${subject}`, status), body, { note: 'private' });

        const [row] = await world.other.ledger(subject);
        expect(row).to.include({ method: 'GET', body: '' });
        expect(row?.headers).not.to.have.property('content-type');
      });
    }

    for (const status of [307, 308]) {
      it(`${String(status)} sends a body again within one server, and never to another`, async () => {
        const subject = uniqueName('again');

        await ask(via(`/echo/${subject}`, status), body, { note: 'private' });
        const told = await ask(via(`${world.other.url}/echo/${subject}`, status), body, { note: 'private' });

        const [row] = await world.http.ledger(subject);
        expect(row).to.deep.include({ method: 'POST', body: { note: 'private' } });
        expect(told).to.contain('sent on to another host, which is not done');
        expect(await world.other.ledger(subject)).to.deep.equal([]);
      });
    }

    it('to an address that is not let to is refused', async () => {
      const subject = uniqueName('inside');

      const told = await Promise.all(
        ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]'].map((host) =>
          ask(via(`http://${host}:${portOf(world.forbidden.url)}/echo/${subject}`)),
        ),
      );

      expect(new Set(told)).to.deep.equal(new Set([REFUSED]));
      expect(await world.forbidden.ledger(subject)).to.deep.equal([]);
    });

    for (const [what, to, fault] of [
      ['a file', 'file:///etc/passwd', /Only http and https/],
      ['data', 'data:text/plain,x', /Only http and https/],
      ['a script', 'javascript:1', /Only http and https/],
      ['an address with a password', 'http://a:b@127.0.0.1/', /user name or a password/],
      ['no address', 'http://[', /could not be reached/],
    ] as const) {
      it(`to ${what} ends in our words`, async () => {
        expect(await ask(via(to))).to.match(fault);
      });
    }

    it('follows five, and not a sixth', async () => {
      const subject = uniqueName('loop');

      const told = await ask(`${world.http.url}/loop/${subject}`);

      expect(told).to.contain('could not be reached');
      expect(await world.http.ledger(subject)).to.have.length(6);
    });
  });
});
