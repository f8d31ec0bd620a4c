import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { say } from '../../../support/fakes/model-script.js';
import { sharedService } from '../../../support/test-service.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { aCourse, type Course, type CourseVisit } from '../../support/lti-course-fixture.js';

const FOUR = ['student1', 'student2', 'student3', 'student4'];

describeInBrowser('a teacher in a course', function () {
  this.timeout(180_000);

  const aClass = async (transcript_policy: 'none' | 'pseudonymous'): Promise<Course> => {
    const world = await sharedService();
    const assistant = await world.assistant([say('Cells are **small**.')], { repeat: true });
    return aCourse(world, assistant, { transcript_policy });
  };

  describe('whose students alone read what they write', () => {
    let course: Course;
    let visit: CourseVisit;
    before(async () => {
      course = await aClass('none');
      visit = await course.visit('teacher1');
    });
    after(() => visit.close());

    it('is told that nobody has asked anything yet', async () => {
      await visit.to('Dashboard');

      await visit.page.getByText('Nobody has asked anything yet').waitFor();
      expect(visit.complaints).to.deep.equal([]);
    });

    it('reads no conversations', async () => {
      const { page } = visit;
      await course.ask([...FOUR, 'student5'], 'What is a cell?');
      await visit.to('Conversations');

      await page.getByText('Nobody but the student reads conversations').waitFor();
      expect(await page.getByTestId('transcript').count()).to.equal(0);
      expect(await faultsInBothThemes(page)).to.deep.equal([]);
    });
  });

  describe('who reads without names', () => {
    let course: Course;
    let visit: CourseVisit;
    before(async () => {
      course = await aClass('pseudonymous');
      await course.ask(FOUR, 'What is a *cell*?');
      visit = await course.visit('teacher1');
    });
    after(() => visit.close());

    it('sees neither figures nor conversations of four students, is told why, and sees figures with the fifth', async () => {
      const { page } = visit;
      await visit.to('Conversations');
      await page.getByText('Too few students so far').waitFor();
      await visit.to('Dashboard');
      await page.getByTestId('small-group').waitFor();
      expect(await page.getByTestId('dashboard').innerText()).to.contain('Fewer than 5');
      expect(await page.getByTestId('questions-chart').count()).to.equal(0);
      expect(await faultsInBothThemes(page)).to.deep.equal([]);

      await course.ask(['student5'], 'What is a *cell*?');
      await page.getByLabel('Period').selectOption('7');
      await page.getByTestId('questions-chart').waitFor();
      const chart = page.getByRole('img', { name: /Questions per day/ });
      expect(await chart.getAttribute('aria-label')).to.contain('5 in total');
      expect(await page.getByTestId('small-group').count()).to.equal(0);
      expect(await faultsInBothThemes(page)).to.deep.equal([]);
    });

    it('reads conversations by number, once there are five of them', async () => {
      const { page } = visit;
      await visit.to('Conversations');
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
  });
});
