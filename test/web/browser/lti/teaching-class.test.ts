import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { say } from '../../../support/fakes/model-script.js';
import { sharedService, type TestService } from '../../../support/test-service.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { aCourse, type Course, type CourseVisit } from '../../support/lti-course-fixture.js';

const FOUR = ['student1', 'student2', 'student3', 'student4'];

describeInBrowser('a teacher in a course', function () {
  this.timeout(180_000);

  let world: TestService;
  let visit: CourseVisit | undefined;
  before(async () => {
    world = await sharedService();
  });
  afterEach(async () => {
    await visit?.close();
    visit = undefined;
  });

  const aClass = async (transcript_policy: 'none' | 'pseudonymous'): Promise<Course> =>
    aCourse(world, await world.assistant([say('Cells are **small**.')], { repeat: true }), {
      transcript_policy,
    });
  const teacherIn = async (course: Course, tab: string) => {
    visit = await course.visit('teacher1');
    await visit.to(tab);
    return visit;
  };

  it('sees no figures of four students, is told why, and sees them with the fifth', async () => {
    const course = await aClass('pseudonymous');
    await course.ask(FOUR, 'What is a cell?');
    const { page } = await teacherIn(course, 'Dashboard');

    await page.getByTestId('small-group').waitFor();
    expect(await page.getByTestId('dashboard').innerText()).to.contain('Fewer than 5');
    expect(await page.getByTestId('questions-chart').count()).to.equal(0);
    expect(await faultsInBothThemes(page)).to.deep.equal([]);

    await course.ask(['student5'], 'What is a cell?');
    await page.getByLabel('Period').selectOption('7');
    await page.getByTestId('questions-chart').waitFor();
    expect(await page.getByRole('img', { name: /Questions per day/ }).getAttribute('aria-label')).to.contain(
      '5 in total',
    );
    expect(await page.getByTestId('small-group').count()).to.equal(0);
    expect(await faultsInBothThemes(page)).to.deep.equal([]);
  });

  it('is told that nobody has asked anything yet', async () => {
    const course = await aClass('none');
    const { page, complaints } = await teacherIn(course, 'Dashboard');

    await page.getByText('Nobody has asked anything yet').waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('reads conversations by number, once there are five of them', async () => {
    const course = await aClass('pseudonymous');
    await course.ask(FOUR, 'What is a *cell*?');
    const { page, to } = await teacherIn(course, 'Conversations');
    await page.getByText('Too few students so far').waitFor();

    await course.ask(['student5'], 'What is a *cell*?');
    await to('Dashboard');
    await to('Conversations');
    const rows = page.getByTestId('transcript');
    await rows.first().waitFor();
    expect(await rows.count()).to.equal(5);
    expect(await faultsInBothThemes(page)).to.deep.equal([]);

    await rows.first().getByRole('button').click();
    const reading = page.getByTestId('transcript-reading');
    await reading.locator('strong', { hasText: 'small' }).waitFor();
    const text = await reading.innerText();
    expect(text).to.match(/Student \d/);
    expect(text).to.contain('What is a *cell*?');
    for (const name of ['Sam', 'Sofia', 'Siobhan']) expect(text).not.to.contain(name);
    expect(await faultsInBothThemes(page)).to.deep.equal([]);

    await page.getByRole('button', { name: 'All conversations' }).click();
    await rows.first().waitFor();
  });

  it('reads none where nobody but the student does', async () => {
    const course = await aClass('none');
    await course.ask([...FOUR, 'student5'], 'What is a cell?');
    const { page } = await teacherIn(course, 'Conversations');

    await page.getByText('Nobody but the student reads conversations').waitFor();
    expect(await page.getByTestId('transcript').count()).to.equal(0);
    expect(await faultsInBothThemes(page)).to.deep.equal([]);
  });
});
