import { expect } from 'chai';
import { createRosterSizes } from '../../src/activities/roster.js';
import type { Activity } from '../../src/core/lti/activity.js';

const course = (id: number, membershipsUrl: string | undefined = 'https://moodle.example/members') =>
  ({ id, services: { gradeScopes: [], membershipsUrl } }) as unknown as Activity;

describe('how many a course has', () => {
  it('is asked of the platform once in five minutes for each activity', async () => {
    let now = 0;
    const asked: number[] = [];
    const rosterOf = createRosterSizes(
      ({ id }) => {
        asked.push(id);
        return Promise.resolve(20 + asked.length);
      },
      { now: () => now },
    );

    expect([await rosterOf(course(1)), await rosterOf(course(1)), await rosterOf(course(2))]).to.deep.equal([
      ...[21, 21, 22],
    ]);
    now = 300_000;
    expect(await rosterOf(course(1))).to.equal(23);
    expect(asked).to.deep.equal([1, 2, 1]);
  });

  it('is not known where the platform does not say, or fails', async () => {
    const rosterOf = createRosterSizes(() => Promise.reject(new Error('down')));

    expect(await rosterOf(course(1))).to.equal(null);
    expect(await rosterOf({ ...course(2), services: { gradeScopes: [] } })).to.equal(null);
  });

  it('is not waited for any longer than somebody has patience', async () => {
    const rosterOf = createRosterSizes(() => new Promise<number>(() => undefined), { patienceMs: 20 });

    expect(await rosterOf(course(1))).to.equal(null);
  });
});
