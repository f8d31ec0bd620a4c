import { expect } from 'chai';
import { launch, replay } from '../../support/lti-platform/launching.js';
import { sendForm } from '../../support/lti-platform/web-forms.js';
import { type Course, STUDENTS, type Work } from '../course.js';
import { eventually } from '../eventually.js';
import type { Installation } from '../installation.js';
import { SCALE } from '../scale.js';

export function rulesOfCourses(at: () => Installation, theCourse: () => Course): void {
  let course: Course;
  before(() => {
    course = theCourse();
  });
  const doors = () => at().replicas.map(({ url }) => `${url}/lti/launch`);

  it('a launch that began at one is let in by another, and used there is refused by all', async () => {
    const launched = await launch(at().platform, {
      ...{ tool: course.tool, as: 'student1', postTo: doors()[1]! },
    });
    const again = await Promise.all(doors().map((door) => replay(launched, door)));

    expect(launched.status, launched.body).to.equal(303);
    expect(again.map(({ status }) => status)).to.deep.equal([403, 403, 403]);
  });

  it('a launch that comes to all of them at the same moment is let in once', async () => {
    const { form, jar } = await launch(at().platform, {
      ...{ tool: course.tool, as: 'student1', postTo: `${at().url}/healthz` },
    });

    const answers = await Promise.all(doors().map((door) => sendForm(door, form, { jar })));

    expect(answers.map(({ status }) => status).sort()).to.deep.equal([303, 403, 403]);
  });

  it('a grade reaches the platform once, though its teacher approves it at all of them at once', async () => {
    const works = await Promise.all(
      STUDENTS.slice(0, SCALE.works).map(async (name) => {
        const { request } = await course.comes(name);
        const { json } = await request<Work>(course.path, { body: { text: `Rome fell, says ${name}.` } });
        const look = async () => (await request<Work>(`${course.path}/${json.id}`)).json;
        const { id } = await eventually(look, ({ status }) => status === 'proposed');
        return { id, look };
      }),
    );
    for (const work of works) {
      const path = `${course.path}/${work.id}`;
      const edited = await course.teacher.request<Work>(path, {
        ...{ method: 'PATCH', body: { comment: work.id } },
      });
      const options = { key: course.teacher.token, body: { version: edited.json.version } };
      const clicks = await Promise.all(at().replicas.map((each) => each.request(`${path}/approve`, options)));
      expect(clicks.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409]);
    }
    await Promise.all(works.map(({ look }) => eventually(look, ({ status }) => status === 'posted')));

    const told = await Promise.all(works.map(({ id }) => course.timesTold(id)));
    expect(told).to.deep.equal(works.map(() => 1));
  });
}
