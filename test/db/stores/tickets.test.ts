import { expect } from 'chai';
import type { Stores } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { storesOn } from '../fixtures.js';

const NOW = '2026-11-15T12:00:00.000Z';
const LATER = '2026-11-15T12:10:00.000Z';

describeOnEachEngine('one-time tickets', (open) => {
  let tickets: Stores['tickets'];
  beforeEach(async () => {
    ({ tickets } = storesOn(await open()));
  });

  const ticket = { purpose: 'lti login', hash: 'h', payload: 'what it is for', expiresAt: LATER } as const;

  it('are taken once, also by many at once', async () => {
    await tickets.leave(ticket);

    const taken = await Promise.all(Array.from({ length: 10 }, () => tickets.take('lti login', 'h', NOW)));

    expect(taken.filter((payload) => payload !== undefined)).to.deep.equal(['what it is for']);
    expect(await tickets.take('lti login', 'h', NOW)).to.equal(undefined);
  });

  it('are left once, and are of one purpose', async () => {
    const left = await Promise.all(Array.from({ length: 10 }, () => tickets.leave(ticket)));

    expect(left.filter(Boolean)).to.have.length(1);
    expect(await tickets.take('lti launch', 'h', NOW)).to.equal(undefined);
    expect(await tickets.leave({ ...ticket, purpose: 'lti launch' })).to.equal(true);
  });

  it('are worth nothing when their time is over, and are swept up then', async () => {
    await tickets.leave(ticket);
    await tickets.leave({ ...ticket, hash: 'another' });

    expect(await tickets.take('lti login', 'h', LATER)).to.equal(undefined);
    expect(await tickets.sweep(NOW)).to.equal(0);
    expect(await tickets.sweep(LATER)).to.equal(1);
  });
});
