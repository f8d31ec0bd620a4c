import { expect } from 'chai';
import { launch, openSession } from '../../support/lti-platform/launching.js';
import { PEOPLE } from '../../support/lti-platform/school.js';
import { type Door, theDoor } from '../support/lti-launch-client.js';

describe('how many a course has', function () {
  this.timeout(60_000);
  let door: Door;
  before(async () => {
    door = await theDoor();
  });

  it('is told by the platform to the instructor whom it has launched', async () => {
    const launched = await launch(door.platform, { tool: door.tool, as: 'teacher1' });
    const { token } = await openSession(launched);
    const [id] = await door.db('lti_sessions').where('id', launched.session).pluck<number[]>('activity_id');

    const { status, json } = await door.service.request<{ participants: { of: number | null } }>(
      `/lamb/v1/lti/activities/${String(id)}/dashboard`,
      { key: token },
    );

    expect(status).to.equal(200);
    const learners = PEOPLE.filter(({ role, courses }) => role === 'student' && courses.includes(2));
    // A teacher who may not edit is called a learner in the roster, and has not come here yet.
    const tutors = PEOPLE.filter(({ role, courses }) => role === 'tutor' && courses.includes(2));
    expect(json.participants.of).to.equal(learners.length + tutors.length);
  });

  it('leaves out whom the roster calls a learner, and who comes as an instructor', async () => {
    const tool = await door.platform.addTool(door.service);
    await launch(door.platform, { tool, as: 'tutor1' });
    const elsewhere = await door.platform.addActivity(tool, {});
    const launched = await launch(door.platform, { tool, as: 'teacher1', activity: elsewhere });
    const { token } = await openSession(launched);
    const [id] = await door.db('lti_sessions').where('id', launched.session).pluck<number[]>('activity_id');

    const { json } = await door.service.request<{ participants: { of: number | null } }>(
      `/lamb/v1/lti/activities/${String(id)}/dashboard`,
      { key: token },
    );

    const learners = PEOPLE.filter(({ role, courses }) => role === 'student' && courses.includes(2));
    expect(json.participants.of).to.equal(learners.length);
  });
});
