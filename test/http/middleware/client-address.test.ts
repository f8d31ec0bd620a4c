import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import {
  createClientAddress,
  networkOf,
  trustedProxiesIn,
} from '../../../src/http/middleware/client-address.js';
import { type Service, startService } from '../../support/service.js';
import { LOGIN, PASSWORD } from '../support/credentials.js';
import { refusalOf } from '../support/refusal.js';
import { aPerson } from '../support/users-fixture.js';

const ATTACKER = '203.0.113.5';
const AT_HOME = '198.51.100.7';

describe('where a request comes from', function () {
  this.timeout(60_000);
  const running: Service[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.stop()));
  });
  const start = async (trustProxy: string) => {
    const service = await startService({ TRUST_PROXY: trustProxy });
    running.push(service);
    return { service, person: await aPerson(service, { password: PASSWORD }) };
  };
  const signIn = (service: Service, email: string, password: string, forwardedFor: string) =>
    service.request(LOGIN, {
      ...{ body: { email, password }, key: null },
      headers: { 'x-forwarded-for': forwardedFor },
    });
  const guess = (service: Service, email: string, forwardedFor: (i: number) => string) =>
    Promise.all(Array.from({ length: 10 }, (_, i) => signIn(service, email, 'a guess', forwardedFor(i))));

  it('is told by the proxy that is trusted: a stranger who tries passwords locks nobody else out', async () => {
    const { service, person } = await start('1');
    await guess(service, person.email, () => ATTACKER);

    const stranger = await signIn(service, person.email, PASSWORD, ATTACKER);
    const owner = await signIn(service, person.email, PASSWORD, AT_HOME);

    refusalOf(stranger, 429);
    expect(owner.status, owner.text).to.equal(200);
  });

  it('is never told by the client, whatever it writes before the word of the proxy', async () => {
    const { service, person } = await start('127.0.0.1');
    await guess(service, person.email, (i) => `198.51.100.${String(i)}, ${ATTACKER}`);

    refusalOf(await signIn(service, person.email, PASSWORD, `192.0.2.1, ${ATTACKER}`), 429);
  });

  for (const [trusted, why] of [
    ['', 'nobody is trusted'],
    ['10.0.0.1', 'others are trusted than whoever connects'],
  ] as const) {
    it(`is where the connection comes from when ${why}`, async () => {
      const { service, person } = await start(trusted);
      await guess(service, person.email, (i) => `198.51.100.${String(i)}`);

      refusalOf(await signIn(service, person.email, PASSWORD, AT_HOME), 429);
    });
  }

  it('is in the log alike for a chat and for everything else', async () => {
    const { service } = await start('1');
    const { id } = await service.createAssistant({ metadata: { connector: 'demo', llm: 'demo' } });
    const headers = { 'x-forwarded-for': AT_HOME };

    await service.chat(id, 'Hello?', { headers });
    await service.request('/lamb/v1/me', { headers });

    for (const route of ['/v1/chat/completions', '/lamb/v1/me']) {
      const line = await service.waitForLog(({ msg, route: at }) => msg === 'request' && at === route);
      expect(line).to.include({ address: AT_HOME });
    }
  });

  for (const [trusted, peer, said, client] of [
    ['1', '10.0.0.1', undefined, '10.0.0.1'],
    ['1', '10.0.0.1', '', '10.0.0.1'],
    ['1', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['1', '::ffff:10.0.0.1', '192.0.2.1:4711', '192.0.2.1'],
    ['1', '10.0.0.1', '192.0.2.9, [2001:DB8::1]:443', '2001:db8::1'],
    ['2', '10.0.0.1', '192.0.2.9, 192.0.2.1, 10.0.0.2', '192.0.2.1'],
    ['2', '10.0.0.1', '192.0.2.1', '192.0.2.1'],
    ['10.0.0.0/8', '10.0.0.1', '192.0.2.9, 192.0.2.1, 10.0.0.2', '192.0.2.1'],
    ['10.0.0.0/8', '::ffff:10.0.0.1', '::ffff:192.0.2.1', '192.0.2.1'],
    ['10.0.0.0/8', '192.0.2.1', '192.0.2.9', '192.0.2.1'],
    ['10.0.0.0/8', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['0', '10.0.0.1', '192.0.2.9', '10.0.0.1'],
  ] as const) {
    it(`is ${client} by ${peer} with "${said ?? 'nothing'}" where ${trusted} is trusted`, () => {
      const socket = { remoteAddress: peer };
      const headers = said === undefined ? {} : { 'x-forwarded-for': said };
      const request = { socket, headers } as unknown as IncomingMessage;

      expect(createClientAddress(trustedProxiesIn(trusted))(request)).to.equal(client);
    });
  }

  it('counts by its network where one has as many addresses as one likes', () => {
    expect(networkOf('2001:db8:1:2:aaaa::1')).to.equal(networkOf('2001:db8:1:2:bbbb::9'));
    expect(networkOf('2001:db8:1:2::1')).not.to.equal(networkOf('2001:db8:1:3::1'));
    expect(networkOf('192.0.2.1')).to.equal('192.0.2.1');
  });
});
