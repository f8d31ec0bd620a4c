import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { describeInBrowser } from '../../../support/browser.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import { held, say, type Step } from '../../../support/fakes/model-script.js';
import { aRubric, essayRubric } from '../../../support/rubrics.js';
import { sharedService, type TestService } from '../../../support/test-service.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { aCourse, type Course, type CourseVisit } from '../../support/lti-course-fixture.js';

const JUDGED = {
  criterion_1: { reason: 'There is a thesis.', level: 'level_2' },
  criterion_2: { reason: 'One source only.', level: 'level_3' },
};
const HAND_IN = 'Hand in';
const WORK = 'Rome fell because of <b>bread</b>.';

interface Listed {
  readonly data: readonly { readonly id: string; readonly version: number; readonly status: string }[];
}

/** Those of the criteria that stand on more than one line. */
const brokenWords = (page: Page) =>
  page.evaluate<string[]>(`
    [...document.querySelectorAll('[data-testid=criterion]')].flatMap((criterion) => {
      const found = [];
      const texts = document.createTreeWalker(criterion, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const text = texts.currentNode;
        for (const { 0: word, index } of text.data.matchAll(/\\S+/g)) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word);
        }
      }
      return found;
    })`);

describeInBrowser('a text that is handed in and graded', function () {
  this.timeout(180_000);

  let world: TestService;
  const visits: CourseVisit[] = [];
  before(async () => {
    world = await sharedService();
  });
  afterEach(() => Promise.all(visits.splice(0).map((visit) => visit.close())));

  async function aGradedCourse(
    judge: Step = say(JSON.stringify(JUDGED)),
    rubric_data = essayRubric(),
  ): Promise<Course> {
    const llm = uniqueName('judge');
    await world.model.script(llm, [judge], { repeat: true });
    const { id: rubric_id } = await aRubric(world.service, { title: 'Essay', rubric_data });
    const tools = [{ type: 'rubric_eval', enabled: true, mode: 'function', config: { rubric_id, llm } }];
    const assistant = await world.assistant([say('ok')], { tools, repeat: true });
    return aCourse(world, assistant, { evaluation: { assistant_id: assistant.id } });
  }
  const comes = async (course: Course, username: string, tab: string) => {
    const visit = await course.visit(username);
    visits.push(visit);
    await visit.to(tab);
    return visit;
  };
  const pathOf = ({ activityId }: Course) => `/lamb/v1/lti/activities/${String(activityId)}/submissions`;
  const handIn = async (course: Course, username: string) => {
    const { request } = await course.join(username);
    const { status } = await request(pathOf(course), { body: { text: WORK } });
    expect(status).to.equal(202);
  };
  /** Opens what this person handed in, as soon as there is something to decide. */
  const openFirst = async ({ page }: CourseVisit) => {
    await page.getByTestId('submission').first().click();
    await page.getByTestId('grade-actions').waitFor();
  };

  it('is not left with something typed and not saved, unless its teacher says so', async () => {
    const course = await aGradedCourse();
    await handIn(course, 'student1');
    const teacher = await comes(course, 'teacher1', 'Grades');
    const { page } = teacher;
    await openFirst(teacher);
    const comment = page.getByLabel('Comment for the student');
    const dialog = page.getByRole('dialog');
    await comment.fill('Half a thou');
    await page.getByRole('button', { name: 'All submissions' }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await comment.inputValue()).to.equal('Half a thou');
    await page.getByRole('tab', { name: 'Try it' }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await comment.inputValue()).to.equal('Half a thou');
    await page.getByRole('button', { name: 'All submissions' }).click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.getByTestId('submission').waitFor();
    await openFirst(teacher);
    await comment.fill('Another');
    await page.getByRole('tab', { name: 'Try it' }).click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('textbox', { name: 'Your question' }).waitFor();
  });

  it('leaves the list of its teacher when it is withdrawn before there is something to decide', async () => {
    const gate = uniqueName('gate');
    const course = await aGradedCourse(held(gate, say(JSON.stringify(JUDGED))));
    await handIn(course, 'student1');
    const { page } = await comes(course, 'teacher1', 'Grades');
    await page.getByTestId('submission').waitFor();
    const student = await course.join('student1');
    const { json } = await student.request<Listed>(pathOf(course));
    await student.request(`${pathOf(course)}/${json.data[0]!.id}`, { method: 'DELETE' });

    await page.getByTestId('submission').waitFor({ state: 'detached' });
    await world.model.release(gate);
  });

  it('goes from the student to the teacher and into the grade book, and back as a grade', async () => {
    const course = await aGradedCourse();
    const student = await comes(course, 'student1', HAND_IN);
    const { page: theirs } = student;
    await theirs.getByText('Your teacher sees your name with this text').first().waitFor();
    await theirs.getByLabel('Your text').fill(WORK);
    await theirs.getByText('5 words, 34 characters').waitFor();
    expect(await faultsInBothThemes(theirs)).to.deep.equal([]);
    await theirs.getByRole('button', { name: 'Hand in' }).click();
    await theirs.getByRole('dialog').getByRole('button', { name: 'Hand in' }).click();
    await theirs.getByTestId('own-state').getByText('With your teacher').waitFor();
    await theirs.locator('[data-testid=submissions]:focus').waitFor();

    const teacher = await comes(course, 'teacher1', 'Grades');
    const { page } = teacher;
    await page.getByTestId('submission').getByText('Sam Student').waitFor();
    expect(await faultsInBothThemes(page)).to.deep.equal([]);
    await openFirst(teacher);
    expect(await page.getByTestId('submitted-text').innerText()).to.equal(WORK);
    expect(await page.getByTestId('total').innerText()).to.contain('6.5 of 10');
    const argument = page.getByTestId('criterion').first();
    expect(await argument.innerText())
      .to.contain('proposed')
      .and.to.contain('There is a thesis.');
    expect(await faultsInBothThemes(page)).to.deep.equal([]);

    await argument.getByRole('radio', { name: /Proficient/ }).press('ArrowLeft');
    expect(await argument.getByRole('radio', { name: /Exemplary/ }).isChecked()).to.equal(true);
    expect(await page.getByTestId('total').innerText()).to.contain('8 of 10');
    await page.getByLabel('Comment for the student').fill('Well argued.');
    await page.getByRole('button', { name: 'Approve' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.innerText())
      .to.contain('8 of 10 for Sam Student')
      .and.to.contain('grade book');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.locator('[data-testid=posting][data-state=posted]').waitFor();
    expect(await page.evaluate('document.activeElement?.textContent')).to.contain('All submissions');
    expect(await faultsInBothThemes(page)).to.deep.equal([]);

    const [score, ...more] = await course.platform.journal('score', course.tool);
    expect(more).to.deep.equal([]);
    expect(JSON.stringify(score)).to.contain('Well argued.');

    await theirs.reload();
    await student.to(HAND_IN);
    await theirs.getByTestId('own-grade').getByText('8 of 10').waitFor();
    expect(await theirs.getByTestId('own-submission').innerText()).to.contain('Well argued.');
    expect(await faultsInBothThemes(theirs)).to.deep.equal([]);
    expect([...student.complaints, ...teacher.complaints]).to.deep.equal([]);
  });

  it('is graded by levels whose words stay whole where they fit, on every screen', async () => {
    const longest = 'x'.repeat(150);
    const { criteria } = essayRubric();
    const [first, second] = criteria.map((criterion) => ({ ...criterion, levels: [...criterion.levels] }));
    second!.levels.push({ id: 'level-longest', label: longest, score: 0, description: '' });
    const course = await aGradedCourse(undefined, essayRubric({ criteria: [first, second] }));
    await handIn(course, 'student1');
    const teacher = await comes(course, 'teacher1', 'Grades');
    const { page } = teacher;
    await openFirst(teacher);

    for (const width of [380, 600, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await brokenWords(page), String(width)).to.deep.equal([longest]);
      const taken = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(taken, String(width)).to.be.at.most(width);
    }
  });

  it('keeps what a teacher goes on typing while it is being saved', async () => {
    const course = await aGradedCourse();
    await handIn(course, 'student1');
    const teacher = await comes(course, 'teacher1', 'Grades');
    const { page } = teacher;
    await openFirst(teacher);
    const comment = page.getByLabel('Comment for the student');
    const save = page.getByRole('button', { name: 'Save' });
    await comment.fill('First.');
    const caught = new Promise<() => Promise<void>>((resolve) => {
      const hold = (route: Route) => {
        resolve(() => route.continue());
      };
      void page.route((url) => url.pathname.startsWith(`${pathOf(course)}/`), hold, { times: 1 });
    });
    await save.click();
    const release = await caught;
    await comment.fill('First. Second.');
    await release();
    await page.getByTestId('toast').getByText('Saved.').waitFor();

    expect(await comment.inputValue()).to.equal('First. Second.');
    await page.getByText('Not saved yet').waitFor();
    await save.click();
    await page.getByText('Not saved yet').waitFor({ state: 'detached' });
    expect(await comment.inputValue()).to.equal('First. Second.');
    expect(await page.getByTestId('overtaken').count()).to.equal(0);
  });

  it('is not graded over somebody else’s decision, and what was typed is kept', async () => {
    const course = await aGradedCourse();
    await handIn(course, 'student1');
    const teacher = await comes(course, 'teacher1', 'Grades');
    const { page } = teacher;
    await openFirst(teacher);
    await page.getByLabel('Comment for the student').fill('Mine.');
    const colleague = await course.join('teacher2');
    const { json } = await colleague.request<Listed>(pathOf(course));
    const path = `${pathOf(course)}/${json.data[0]!.id}`;
    await colleague.request(path, { method: 'PATCH', body: { comment: 'Theirs.' } });

    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByTestId('overtaken').waitFor();
    expect(await page.getByLabel('Comment for the student').inputValue()).to.equal('Mine.');
    expect(await course.platform.journal('score', course.tool)).to.deep.equal([]);

    await page.getByRole('button', { name: 'Discard what I entered' }).click();
    expect(await page.getByLabel('Comment for the student').inputValue()).to.equal('Theirs.');
  });

  it('is gone back from to the same list: as it was filtered, and where it was opened', async () => {
    const course = await aGradedCourse();
    await handIn(course, 'student1');
    const teacher = await comes(course, 'teacher1', 'Grades');
    const { page } = teacher;
    const state = page.getByLabel('State');
    await page.getByTestId('submission-state').getByText('To decide').waitFor();
    await state.selectOption('To decide');
    await openFirst(teacher);
    await page.getByRole('button', { name: 'All submissions' }).click();

    await page.locator('[data-testid=submission]:focus').waitFor();
    expect(await state.locator(':checked').textContent()).to.equal('To decide');
  });

  it('is not said to be sent again where somebody else was faster', async () => {
    const course = await aGradedCourse();
    await handIn(course, 'student1');
    const tool = course.tool.id;
    await course.platform.fault({ part: 'scores', tool, faults: ['400'], always: true });
    const teacher = await comes(course, 'teacher1', 'Grades');
    const { page } = teacher;
    await openFirst(teacher);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.locator('[data-testid=posting][data-state=failed]').waitFor();
    const colleague = await course.join('teacher2');
    const { json } = await colleague.request<Listed>(pathOf(course));
    await course.platform.fault({ part: 'scores', tool, faults: [] });
    await colleague.request(`${pathOf(course)}/${json.data[0]!.id}/post`, { body: {} });

    await page.getByRole('button', { name: 'Try again now' }).click();
    await page.getByTestId('overtaken').waitFor();
    expect(await page.getByText('It is being sent again.').count()).to.equal(0);
  });

  it('can be given other points, handed back with a word, and withdrawn', async () => {
    const course = await aGradedCourse();
    await handIn(course, 'student1');
    await handIn(course, 'student2');
    const teacher = await comes(course, 'teacher1', 'Grades');
    const { page } = teacher;
    await page.getByRole('button', { name: 'Sam Student' }).click();
    await page.getByTestId('grade-actions').waitFor();
    await page.getByRole('button', { name: 'Give other points' }).click();
    await page.locator('[name=score]:focus').waitFor();
    await page.getByRole('button', { name: 'Use the points of the levels' }).click();
    await page.locator(':focus').getByText('Give other points').waitFor();
    await page.getByRole('button', { name: 'Give other points' }).click();
    await page.getByLabel('Points, of 10').fill('11');
    await page.getByText('At most 10.').waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).isDisabled()).to.equal(true);
    await page.getByLabel('Points, of 10').fill('9.5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').first().waitFor();
    await page.getByRole('button', { name: 'All submissions' }).click();
    await page.getByText('9.5 of 10').waitFor();

    await page.getByRole('button', { name: 'Sam Student' }).click();
    await page.getByRole('button', { name: 'Hand back' }).click();
    await page.getByRole('dialog').getByLabel('Comment for the student').fill('Please cite.');
    await page.getByRole('dialog').getByRole('button', { name: 'Hand back' }).click();
    await page.getByTestId('submission-state').getByText('Handed back').waitFor();
    expect(await course.platform.journal('score', course.tool)).to.deep.equal([]);

    const back = await comes(course, 'student1', HAND_IN);
    await back.page.getByText('Please cite.').waitFor();
    expect(await back.page.getByTestId('own-grade').count()).to.equal(0);
    const other = await comes(course, 'student2', HAND_IN);
    await other.page.getByRole('button', { name: 'Withdraw' }).click();
    await other.page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await other.page.getByText('You have not handed in anything yet.').waitFor();
    await other.page.locator('[data-testid=submissions]:focus').waitFor();
  });

  it('is not lost with the page while another tab is shown', async () => {
    const course = await aGradedCourse();
    const { page } = await comes(course, 'student1', HAND_IN);
    await page.getByLabel('Your text').pressSequentially('Half of it');
    await page.getByRole('tab', { name: 'Chat' }).click();
    await page.getByRole('textbox', { name: 'Your question' }).waitFor();

    const [question] = await Promise.all([
      page.waitForEvent('dialog'),
      page.close({ runBeforeUnload: true }),
    ]);

    expect(question.type()).to.equal('beforeunload');
    await Promise.all([page.waitForEvent('close'), question.accept()]);
  });

  it('stays in sight with those before it when it is looked at again', async () => {
    const gate = uniqueName('gate');
    const course = await aGradedCourse(held(gate, say(JSON.stringify(JUDGED))));
    await handIn(course, 'student1');
    const visit = await course.visit('student1');
    visits.push(visit);
    const { page } = visit;
    await page.clock.install();
    let looks = 0;
    await page.route(
      (url) => url.pathname === pathOf(course),
      async (route) => {
        const cursor = new URL(route.request().url()).searchParams.get('cursor');
        if (cursor === null) looks += 1;
        const answer = await route.fetch({
          url: route
            .request()
            .url()
            .replace(/[?&]cursor=[^&]*/, ''),
        });
        const [row] = ((await answer.json()) as Listed).data;
        const page_ = {
          data: [{ ...row, id: cursor ?? row?.id }],
          next_cursor: cursor === null ? 'x' : null,
        };
        await route.fulfill({ response: answer, json: page_ });
      },
    );
    await visit.to(HAND_IN);
    const own = page.getByTestId('own-submission');
    await own.waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await own.nth(1).waitFor();
    const before = looks;

    const again = page.waitForResponse((response) => response.url().includes('cursor=x'));
    await page.clock.runFor(10_500);
    await again;
    await page.clock.runFor(1_000);

    expect(looks).to.be.above(before);
    expect(await own.count()).to.equal(2);
    await world.model.release(gate);
  });

  it('is not asked for a second time while it is not known whether there is one', async () => {
    const course = await aGradedCourse();
    await handIn(course, 'student1');
    const visit = await course.visit('student1');
    visits.push(visit);
    const { page } = visit;
    await page.getByRole('tab', { name: HAND_IN }).waitFor();
    const caught = new Promise<() => Promise<void>>((resolve) => {
      const hold = (route: Route) => {
        resolve(() => route.continue());
      };
      void page.route((url) => url.pathname === pathOf(course), hold, { times: 1 });
    });
    await visit.to(HAND_IN);
    const release = await caught;
    const fields = await page.getByLabel('Your text').count();
    await release();
    await page.getByTestId('own-submission').waitFor();

    expect(fields).to.equal(0);
  });
});
