import type { Request, Response } from 'express';
import { expect } from 'chai';
import { type OwnAddress, requireOwnAddress } from '../../../src/http/middleware/own-address.js';

const LOOPBACK: OwnAddress = { host: '127.0.0.1', publicUrl: undefined };
const BEHIND_A_PROXY: OwnAddress = { host: '127.0.0.1', publicUrl: 'https://tutor.example/app' };
const ON_THE_NETWORK: OwnAddress = { host: '0.0.0.0', publicUrl: undefined };
const ON_THE_NETWORK_AS: OwnAddress = { host: '0.0.0.0', publicUrl: 'https://tutor.example' };

/** Whether a request with these headers is let through. */
function passes(own: OwnAddress, headers: { readonly host?: string; readonly origin?: string }): boolean {
  let passed = false;
  try {
    requireOwnAddress(own)({ headers } as Request, {} as Response, () => {
      passed = true;
    });
  } catch {
    return false;
  }
  return passed;
}

describe('the address a request is meant for', () => {
  it('is a loopback name or any IP address, where the service listens on loopback', () => {
    const fine = ['localhost', 'localhost:9099', '127.0.0.1:9099', '[::1]:9099', 'LOCALHOST:1'];
    const foreign = [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.nip.example',
      'tutor.example',
      '',
      '::',
      'a b',
    ];

    expect(fine.filter((host) => !passes(LOOPBACK, { host }))).to.deep.equal([]);
    expect(foreign.filter((host) => passes(LOOPBACK, { host }))).to.deep.equal([]);
    expect(passes(LOOPBACK, {})).to.equal(false);
  });

  it('is the public one too, where it is set', () => {
    for (const own of [BEHIND_A_PROXY, ON_THE_NETWORK_AS]) {
      expect(passes(own, { host: 'tutor.example' })).to.equal(true);
      expect(passes(own, { host: '10.0.0.5:9099' })).to.equal(true);
      expect(passes(own, { host: 'evil.example' })).to.equal(false);
    }
  });

  it('may be any, where the service is open to a network and does not know its names', () => {
    expect(passes(ON_THE_NETWORK, { host: 'bellwether:9099' })).to.equal(true);
  });
});

describe('the page a request comes from', () => {
  it('is one of the same host, or of the public address, or none', () => {
    const host = 'localhost:9099';

    expect(passes(LOOPBACK, { host })).to.equal(true);
    expect(passes(LOOPBACK, { host, origin: 'http://localhost:9099' })).to.equal(true);
    expect(passes(BEHIND_A_PROXY, { host, origin: 'https://tutor.example' })).to.equal(true);
    expect(passes(ON_THE_NETWORK, { host: 'bellwether:9099', origin: 'http://bellwether:9099' })).to.equal(
      true,
    );
  });

  it('is no other: not another port, scheme of the public address, or nothing that is an address', () => {
    const host = 'localhost:9099';
    const foreign = [
      'http://localhost:3000',
      'http://localhost',
      'https://evil.example',
      'null',
      '',
      'http://tutor.example',
    ];

    expect(foreign.filter((origin) => passes(BEHIND_A_PROXY, { host, origin }))).to.deep.equal([]);
    expect(passes(ON_THE_NETWORK, { host: 'bellwether:9099', origin: 'https://evil.example' })).to.equal(
      false,
    );
  });
});
