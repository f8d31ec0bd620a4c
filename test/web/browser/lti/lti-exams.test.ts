import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { say } from '../../../support/fakes/model-script.js';
import { axeFaults } from '../../support/axe.js';
import { anAssistant } from '../../support/chat-fixture.js';
import {
  aReadyActivity,
  aSeat,
  ask,
  type Course,
  type Seat,
  theCourse,
} from '../../support/lti-frame-fixture.js';

const HOUR = 3_600_000;
/** So many hours from now, as a field for a date and a time takes it. */
const inHours = (hours: number) => {
  const at = new Date(Date.now() + hours * HOUR);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

describeInBrowser('an exam in a course', function () {
  this.timeout(120_000);
  let course: Course;
  let seat: Seat;
  before(async () => {
    course = await theCourse();
  });
  afterEach(() => seat.close());

  it('is set by whoever teaches, and told to students before they type, until it is over', async () => {
    const assistant = await anAssistant(course.world, course.teacher, [say('Yes.')], { repeat: true });
    const activity = await aReadyActivity(course, [assistant]);
    seat = await aSeat(course);
    const { page } = seat;
    const faults: string[] = [];
    const look = async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        faults.push(...(await axeFaults(seat.framed())));
      }
    };

    const teacher = await seat.open('teacher1', activity);
    await teacher.getByRole('tab', { name: 'Settings' }).click();
    await teacher.getByRole('button', { name: 'Add an exam' }).click();
    const exam = teacher.getByRole('group', { name: 'Exam 1' });
    await exam.getByLabel('Begins').fill(inHours(-1));
    await teacher.getByRole('button', { name: 'Save' }).click();
    await exam.getByText('Choose a beginning and an end').waitFor();
    await exam.getByLabel('Ends').fill(inHours(2));
    await exam.getByLabel(/^What students read/).fill('Books closed.');
    await look();
    await teacher.getByRole('button', { name: 'Save' }).click();
    await teacher.getByTestId('toast').getByText('Saved.').waitFor();
    await teacher.getByRole('tab', { name: 'Try it' }).click();
    await teacher.getByText('your students get no answers here until').waitFor();
    await ask(teacher, 'Me?');
    await teacher.getByTestId('answer').getByText('Yes.').waitFor();

    await page.clock.install();
    const student = await seat.open('student1', activity);
    const question = student.getByRole('textbox', { name: 'Your question' });
    await student.getByText('You can ask here again from').waitFor();
    await student.getByText('Books closed.').waitFor();
    expect(await question.count()).to.equal(0);
    await look();
    await page.clock.fastForward(3 * HOUR);
    await question.waitFor();
    expect(await student.getByText('You can ask here again from').count()).to.equal(0);
    // The service goes by its own clock.
    await ask(student, 'Now?');
    await student.getByText('nobody is answered here until it is over').waitFor();

    expect(faults).to.deep.equal([]);
  });
});
