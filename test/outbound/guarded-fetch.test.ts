import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Agent } from 'undici';
import { AppError } from '../../src/core/errors.js';
import { createGuardedFetch } from '../../src/outbound/fetch.js';
import { createGuardedAgent, type OutboundRules } from '../../src/outbound/guard.js';
import { listen, type Neighbour } from '../support/other-tenant.js';

const MEGABYTE = 1024 * 1024;

describe('what tools fetch with', () => {
  let other: Neighbour;
  const agents: Agent[] = [];

  before(async () => {
    other = await listen((_req, res) => res.end('other'));
  });
  after(async () => {
    await Promise.all(agents.map((agent) => agent.destroy()));
    other.server.close();
  });
  beforeEach(() => {
    other.heard.length = 0;
  });

  const guarded = (rules: Partial<OutboundRules> = {}, mostMs = 10_000) => {
    const agent = createGuardedAgent({ allow: [], trusted: [], ...rules });
    agents.push(agent);
    return createGuardedFetch({ dispatcher: agent, mostMs });
  };
  const faultOf = (asking: Promise<Response>) =>
    asking.then(
      () => undefined,
      (fault: unknown) => fault as AppError,
    );
  const at = (host: string, port: number) => `http://${host}:${String(port)}/`;

  describe('at a redirect', () => {
    let leading: Neighbour;
    let location: string;
    before(async () => {
      leading = await listen((req, res) => {
        if (req.url === '/end') res.end('the end');
        else res.writeHead(302, { location }).end();
      });
    });
    after(() => leading.server.close());

    for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]']) {
      it(`from a trusted server refuses ${host} at another port`, async () => {
        location = at(host, other.port);

        const fault = await faultOf(
          guarded({ trusted: [at('127.0.0.1', leading.port)] })(at('127.0.0.1', leading.port)),
        );

        expect(fault).to.be.instanceOf(AppError).with.property('status', 403);
        expect(other.heard).to.deep.equal([]);
      });
    }

    it('to another host that is allowed takes no credentials along', async () => {
      location = at('localhost', other.port);
      const headers = {
        authorization: 'Bearer secret',
        cookie: 'session=1',
        'proxy-authorization': 'Basic x',
      };

      const response = await guarded({ allow: ['127.0.0.0/8', '::1/128', 'localhost'] })(
        at('127.0.0.1', leading.port),
        { headers },
      );

      expect(await response.text()).to.equal('other');
      expect(leading.heard.at(-1)?.headers).to.include({ authorization: 'Bearer secret' });
      expect(other.heard[0]?.headers).not.to.have.any.keys('authorization', 'cookie', 'proxy-authorization');
    });

    it('to another port of the same host takes no credentials along', async () => {
      location = at('127.0.0.1', other.port);

      await guarded({ allow: ['127.0.0.1'] })(at('127.0.0.1', leading.port), {
        headers: { authorization: 'Bearer secret' },
      });

      expect(other.heard[0]?.headers).not.to.have.property('authorization');
    });

    it('of one’s own server follows it', async () => {
      location = '/end';

      const response = await guarded({ trusted: [at('127.0.0.1', leading.port)] })(
        at('127.0.0.1', leading.port),
      );

      expect(await response.text()).to.equal('the end');
    });

    for (const to of ['file:///etc/passwd', 'data:text/plain,x', 'ftp://127.0.0.1/', 'javascript:1']) {
      it(`to ${to} fails in our words`, async () => {
        location = to;

        const fault = await faultOf(
          guarded({ trusted: [at('127.0.0.1', leading.port)] })(at('127.0.0.1', leading.port)),
        );

        expect(fault).to.be.instanceOf(AppError);
      });
    }
  });

  describe('of what comes back', () => {
    let generous: Neighbour;
    let left: Promise<unknown>;
    before(async () => {
      generous = await listen((req, res) => {
        left = once(res, 'close');
        if (req.url === '/bomb') {
          res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(30 * MEGABYTE)));
        } else if (req.url === '/endless') {
          const pour = () => {
            while (!res.destroyed && res.write(Buffer.alloc(65_536)));
          };
          res.on('drain', pour);
          pour();
        } else if (req.url === '/drip') {
          const drop = setInterval(() => res.write('.'), 20);
          res.once('close', () => {
            clearInterval(drop);
          });
        } else if (req.url === '/silent') {
          res.setTimeout(0);
        } else if (req.url === '/empty') {
          res.writeHead(204).end();
        } else {
          res.end(Buffer.alloc(Number(req.url?.slice(1))));
        }
      });
    });
    after(() => generous.server.close());
    const get = (path: string) =>
      guarded({ trusted: [at('127.0.0.1', generous.port)] })(
        `http://127.0.0.1:${String(generous.port)}/${path}`,
      );
    const bodyFault = (response: Response) =>
      response.arrayBuffer().then(
        () => undefined,
        (fault: unknown) => fault,
      );

    it('takes ten megabytes', async () => {
      const response = await get(String(10 * MEGABYTE));

      expect((await response.arrayBuffer()).byteLength).to.equal(10 * MEGABYTE);
    });

    for (const path of [String(10 * MEGABYTE + 1), 'endless', 'bomb']) {
      it(`takes no more than that (${path}), and hangs up`, async () => {
        const response = await get(path);

        const fault = await bodyFault(response);

        expect(fault).to.be.instanceOf(AppError).with.property('code', 'too_large');
        await left;
      });
    }

    for (const path of ['drip', 'silent']) {
      it(`waits for it (${path}) no longer than its time, and hangs up`, async () => {
        const response = guarded(
          { trusted: [at('127.0.0.1', generous.port)] },
          300,
        )(`http://127.0.0.1:${String(generous.port)}/${path}`);

        const fault = await response.then(bodyFault, (early: unknown) => early);

        expect(fault).to.be.instanceOf(AppError).with.property('code', 'timeout');
        await left;
      });
    }

    it('takes an answer without a body', async () => {
      const response = await get('empty');

      expect(response.status).to.equal(204);
      expect(await response.text()).to.equal('');
    });
  });
});
