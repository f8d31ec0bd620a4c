import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { describeInBrowser } from '../../../support/browser.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import { held, say } from '../../../support/fakes/model-script.js';
import { personCalled } from '../../../support/lti-platform/school.js';
import { aRubric, essayRubric } from '../../../support/rubrics.js';
import { sharedService } from '../../../support/test-service.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { aCourse, type Course, type CourseVisit } from '../../support/lti-course-fixture.js';

const JUDGED = {
  criterion_1: { reason: 'There is a thesis.', level: 'level_2' },
  criterion_2: { reason: 'One source only.', level: 'level_3' },
};
const JUDGING = say(JSON.stringify(JUDGED));
const HAND_IN = 'Hand in';
const WORK = 'Rome fell because of <b>bread</b>.';

interface Listed {
  readonly data: readonly { readonly id: string; readonly who: { readonly name: string } | null }[];
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

interface GradedCourse extends Course {
  /** What the model that proposes grades is called. */
  readonly judge: string;
}

async function aGradedCourse(rubric_data = essayRubric()): Promise<GradedCourse> {
  const world = await sharedService();
  const judge = uniqueName('judge');
  await world.model.script(judge, [JUDGING], { repeat: true });
  const { id: rubric_id } = await aRubric(world.service, { title: 'Essay', rubric_data });
  const config = { rubric_id, llm: judge };
  const tools = [{ type: 'rubric_eval', enabled: true, mode: 'function', config }];
  const assistant = await world.assistant([say('ok')], { tools, repeat: true });
  const course = await aCourse(world, assistant, { evaluation: { assistant_id: assistant.id } });
  return { ...course, judge };
}

const pathOf = ({ activityId }: Course) => `/lamb/v1/lti/activities/${String(activityId)}/submissions`;

async function handIn(course: Course, username: string): Promise<void> {
  const { request } = await course.join(username);
  const { status } = await request(pathOf(course), { body: { text: WORK } });
  expect(status).to.equal(202);
}

/** The next request of the page for these waits; what lets it go. */
const holdNext = (page: Page, isMeant: (path: string) => boolean) =>
  new Promise<() => Promise<void>>((resolve) => {
    const hold = (route: Route) => {
      resolve(() => route.continue());
    };
    void page.route((url) => isMeant(url.pathname), hold, { times: 1 });
  });

describeInBrowser('a text that is handed in and graded', function () {
  this.timeout(180_000);

  let course: GradedCourse;
  let student: CourseVisit;
  let teacher: CourseVisit;
  let visit: CourseVisit | undefined;
  before(async () => {
    course = await aGradedCourse();
    [student, teacher] = [await course.visit('student1'), await course.visit('teacher1')];
  });
  afterEach(async () => {
    await visit?.close();
  });
  after(() => Promise.all([student.close(), teacher.close()]));

  it('is not lost with the page while another tab is shown', async () => {
    const { page } = student;
    await student.to(HAND_IN);
    await page.getByLabel('Your text').pressSequentially('Half of it');
    await page.getByRole('tab', { name: 'Chat' }).click();
    await page.getByRole('textbox', { name: 'Your question' }).waitFor();

    const [question] = await Promise.all([
      page.waitForEvent('dialog'),
      page.close({ runBeforeUnload: true }),
    ]);

    expect(question.type()).to.equal('beforeunload');
    await question.dismiss();
  });

  it('goes from the student to the teacher and into the grade book', async () => {
    const { page: theirs } = student;
    await student.to(HAND_IN);
    await theirs.getByText('Your teacher sees your name with this text').first().waitFor();
    await theirs.getByLabel('Your text').fill(WORK);
    await theirs.getByText('5 words, 34 characters').waitFor();
    expect(await faultsInBothThemes(theirs)).to.deep.equal([]);
    await theirs.getByRole('button', { name: 'Hand in' }).click();
    await theirs.getByRole('dialog').getByRole('button', { name: 'Hand in' }).click();
    await theirs.getByTestId('own-state').getByText('With your teacher').waitFor();
    await theirs.locator('[data-testid=submissions]:focus').waitFor();

    const { page } = teacher;
    await teacher.to('Grades');
    await page.getByTestId('submission').getByText('Sam Student').waitFor();
    expect(await faultsInBothThemes(page)).to.deep.equal([]);
    await page.getByTestId('submission').click();
    await page.getByTestId('grade-actions').waitFor();
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
  });

  it('comes back as a grade, and is not asked for a second time while it is not known whether there is one', async () => {
    const { page } = student;
    await page.reload();
    await page.getByRole('tab', { name: HAND_IN }).waitFor();
    const caught = holdNext(page, (path) => path === pathOf(course));
    await student.to(HAND_IN);
    const release = await caught;
    const fields = await page.getByLabel('Your text').count();
    await release();

    await page.getByTestId('own-grade').getByText('8 of 10').waitFor();
    expect(fields).to.equal(0);
    expect(await page.getByTestId('own-submission').innerText()).to.contain('Well argued.');
    expect(await faultsInBothThemes(page)).to.deep.equal([]);
    expect([...student.complaints, ...teacher.complaints]).to.deep.equal([]);
  });

  it('stays in sight with those before it when it is looked at again', async () => {
    const gate = uniqueName('gate');
    const { model } = await sharedService();
    await model.script(course.judge, [held(gate, JUDGING)], { repeat: true });
    await handIn(course, 'student2');
    visit = await course.visit('student2');
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
    await model.release(gate);
  });
});

describeInBrowser('a teacher who grades one text after another', function () {
  this.timeout(180_000);

  const longest = 'x'.repeat(150);
  let course: GradedCourse;
  let teacher: CourseVisit;
  let page: Page;
  const students: CourseVisit[] = [];
  before(async () => {
    const { criteria } = essayRubric();
    const [first, second] = criteria.map((criterion) => ({ ...criterion, levels: [...criterion.levels] }));
    second!.levels.push({ id: 'level-longest', label: longest, score: 0, description: '' });
    course = await aGradedCourse(essayRubric({ criteria: [first, second] }));
    teacher = await course.visit('teacher1');
    ({ page } = teacher);
    await handIn(course, 'student1');
  });
  afterEach(() => Promise.all(students.splice(0).map((visit) => visit.close())));
  after(() => teacher.close());

  const comment = () => page.getByLabel('Comment for the student');
  const dialog = () => page.getByRole('dialog');
  const rowOf = (username: string) => {
    const { given, family } = personCalled(username);
    return page.getByRole('row', { name: `${given} ${family}` });
  };
  /** Comes to the list anew. */
  const list = async () => {
    await teacher.to('Try it');
    await teacher.to('Grades');
  };
  /** Opens what this person handed in, as soon as there is something to decide. */
  const open = async (username: string) => {
    await rowOf(username).getByTestId('submission').click();
    await page.getByTestId('grade-actions').waitFor();
  };
  const openAnew = async (username: string) => {
    await list();
    await open(username);
  };
  const approve = async () => {
    await page.getByRole('button', { name: 'Approve' }).click();
    await dialog().getByRole('button', { name: 'Approve' }).click();
  };
  /** As another teacher has it, and where they decide on it. */
  const colleagueAt = async (username: string) => {
    const { request } = await course.join('teacher2');
    const { json } = await request<Listed>(pathOf(course));
    const name = `${personCalled(username).given} ${personCalled(username).family}`;
    const { id } = json.data.find(({ who }) => who?.name === name)!;
    return { request, path: `${pathOf(course)}/${id}` };
  };
  const scoresOf = async (username: string) => {
    const scores = await course.platform.journal('score', course.tool);
    return scores.filter(({ userId }) => userId === String(personCalled(username).id));
  };
  const comes = async (username: string) => {
    const visit = await course.visit(username);
    students.push(visit);
    await visit.to(HAND_IN);
    return visit;
  };

  it('sees levels whose words stay whole where they fit, on every screen', async () => {
    await openAnew('student1');

    for (const width of [380, 600, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await brokenWords(page), String(width)).to.deep.equal([longest]);
      const taken = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(taken, String(width)).to.be.at.most(width);
    }
  });

  it('comes back to the same list: as it was filtered, and where it was left', async () => {
    await list();
    const state = page.getByLabel('State');
    await rowOf('student1').getByTestId('submission-state').getByText('To decide').waitFor();
    await state.selectOption('To decide');
    await open('student1');
    await page.getByRole('button', { name: 'All submissions' }).click();

    await rowOf('student1').locator('[data-testid=submission]:focus').waitFor();
    expect(await state.locator(':checked').textContent()).to.equal('To decide');
  });

  it('does not leave what was typed and not saved without saying so', async () => {
    await openAnew('student1');
    await comment().fill('Half a thou');
    await page.getByRole('button', { name: 'All submissions' }).click();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    expect(await comment().inputValue()).to.equal('Half a thou');
    await page.getByRole('tab', { name: 'Try it' }).click();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    expect(await comment().inputValue()).to.equal('Half a thou');
    await page.getByRole('button', { name: 'All submissions' }).click();
    await dialog().getByRole('button', { name: 'Leave' }).click();
    await open('student1');
    await comment().fill('Another');
    await page.getByRole('tab', { name: 'Try it' }).click();
    await dialog().getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('textbox', { name: 'Your question' }).waitFor();
  });

  it('keeps what they go on typing while it is being saved', async () => {
    await handIn(course, 'student2');
    await openAnew('student2');
    const save = page.getByRole('button', { name: 'Save' });
    await comment().fill('First.');
    const caught = holdNext(page, (path) => path.startsWith(`${pathOf(course)}/`));
    await save.click();
    const release = await caught;
    await comment().fill('First. Second.');
    await release();
    await page.getByTestId('toast').getByText('Saved.').waitFor();

    expect(await comment().inputValue()).to.equal('First. Second.');
    await page.getByText('Not saved yet').waitFor();
    await save.click();
    await page.getByText('Not saved yet').waitFor({ state: 'detached' });
    expect(await comment().inputValue()).to.equal('First. Second.');
    expect(await page.getByTestId('overtaken').count()).to.equal(0);
  });

  it('does not grade over somebody else’s decision, and keeps what was typed', async () => {
    await handIn(course, 'student3');
    await openAnew('student3');
    await comment().fill('Mine.');
    const colleague = await colleagueAt('student3');
    await colleague.request(colleague.path, { method: 'PATCH', body: { comment: 'Theirs.' } });

    await approve();
    await page.getByTestId('overtaken').waitFor();
    expect(await comment().inputValue()).to.equal('Mine.');
    expect(await scoresOf('student3')).to.deep.equal([]);

    await page.getByRole('button', { name: 'Discard what I entered' }).click();
    expect(await comment().inputValue()).to.equal('Theirs.');
  });

  it('is not told that a grade is sent again where somebody else was faster', async () => {
    await handIn(course, 'student4');
    await openAnew('student4');
    const tool = course.tool.id;
    await course.platform.fault({ part: 'scores', tool, faults: ['400'], always: true });
    await approve();
    await page.locator('[data-testid=posting][data-state=failed]').waitFor();
    const colleague = await colleagueAt('student4');
    await course.platform.fault({ part: 'scores', tool, faults: [] });
    await colleague.request(`${colleague.path}/post`, { body: {} });

    await page.getByRole('button', { name: 'Try again now' }).click();
    await page.getByTestId('overtaken').waitFor();
    expect(await page.getByText('It is being sent again.').count()).to.equal(0);
  });

  it('can give other points, and hand it back with a word', async () => {
    await handIn(course, 'student5');
    await openAnew('student5');
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

    await open('student5');
    await page.getByRole('button', { name: 'Hand back' }).click();
    await dialog().getByLabel('Comment for the student').fill('Please cite.');
    await dialog().getByRole('button', { name: 'Hand back' }).click();
    await page.getByTestId('submission-state').getByText('Handed back').waitFor();
    expect(await scoresOf('student5')).to.deep.equal([]);

    const student = await comes('student5');
    await student.page.getByText('Please cite.').waitFor();
    expect(await student.page.getByTestId('own-grade').count()).to.equal(0);
  });

  it('no longer sees what is withdrawn before there is something to decide', async () => {
    const gate = uniqueName('gate');
    const { model } = await sharedService();
    await model.script(course.judge, [held(gate, JUDGING)], { repeat: true });
    await handIn(course, 'student6');
    await list();
    await rowOf('student6').waitFor();
    const student = await course.join('student6');
    const { json } = await student.request<Listed>(pathOf(course));
    await student.request(`${pathOf(course)}/${json.data[0]!.id}`, { method: 'DELETE' });

    await rowOf('student6').waitFor({ state: 'detached' });
    await model.script(course.judge, [JUDGING], { repeat: true });
    await model.release(gate);
  });

  it('decides on nothing that its student withdraws while it waits for them', async () => {
    await handIn(course, 'student6');
    await list();
    await rowOf('student6').getByText('To decide').waitFor();
    const { page: theirs } = await comes('student6');
    await theirs.getByRole('button', { name: 'Withdraw' }).click();
    await theirs.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await theirs.getByText('You have not handed in anything yet.').waitFor();
    await theirs.locator('[data-testid=submissions]:focus').waitFor();

    await list();
    await rowOf('student1').waitFor();
    expect(await rowOf('student6').count()).to.equal(0);
  });
});
