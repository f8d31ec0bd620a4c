import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { FrameLocator } from 'playwright-core';
import { describeInBrowser } from '../../../support/browser.js';
import { say } from '../../../support/fakes/model-script.js';
import type { Activity } from '../../../support/lti-platform/school.js';
import { anAssistant } from '../../support/chat-fixture.js';
import {
  aReadyActivity,
  aSeat,
  ask,
  changeActivity,
  type Course,
  type Seat,
  theCourse,
} from '../../support/lti-frame-fixture.js';

describeInBrowser('what is kept of students in an activity', function () {
  this.timeout(120_000);
  // Each goes on where the one before it has left the frame.
  this.bail(true);
  let course: Course;
  let seat: Seat;
  let activity: Activity;
  let frame: FrameLocator;
  before(async () => {
    course = await theCourse();
    const { world, teacher } = course;
    const assistant = await anAssistant(world, teacher, [say('As you wish.')], { repeat: true });
    activity = await aReadyActivity(course, [assistant]);
    seat = await aSeat(course);
    frame = await seat.open('student1', activity);
  });
  after(() => seat.close());

  const answered = () => frame.getByTestId('answer').getByText('As you wish.').waitFor();
  const more = async (item: string) => {
    await frame.getByRole('button', { name: 'More about this activity' }).click();
    await frame.getByRole('menuitem', { name: item }).click();
  };

  it('can be deleted conversation by conversation', async () => {
    for (const question of ['To stay?', 'To go?']) {
      await ask(frame, question);
      await answered();
      await frame.getByRole('button', { name: 'New conversation' }).click();
    }
    await frame.getByRole('button', { name: 'Your conversations' }).click();

    await frame.getByRole('button', { name: 'Delete “To go?”' }).click();
    await frame.getByRole('button', { name: 'Delete', exact: true }).click();
    await frame.getByRole('status').getByText('deleted').waitFor({ state: 'attached' });
    await frame.getByRole('button', { name: /^To stay\?/ }).click();
    await frame.getByTestId('question').getByText('To stay?').waitFor();

    await frame.getByRole('button', { name: 'Your conversations' }).click();
    expect(await frame.getByTestId('conversation').count()).to.equal(1);
    await frame.getByRole('dialog').press('Escape');
    expect(seat.complaints).to.deep.equal([]);
  });

  it('is asked for again when the policy has changed under their hands', async () => {
    await changeActivity(course, activity, { transcript_policy: 'named' });

    await ask(frame, 'May I?');
    const dialog = frame.getByRole('dialog', { name: 'May your teacher read your conversations?' });
    await dialog.waitFor();

    expect(await frame.getByTestId('question').count()).to.equal(2);
    await dialog.getByRole('button', { name: 'Not now' }).click();
    await frame.getByRole('button', { name: 'New conversation' }).click();
  });

  it('is read by name only after they have said yes, and no longer once they take it back', async () => {
    const known = seat.complaints.length;
    await seat.reloadFrame();
    const dialog = frame.getByRole('dialog');
    const field = frame.getByRole('textbox', { name: 'Your question' });

    await dialog.getByRole('button', { name: 'Not now' }).click();
    const before = [await field.count(), await frame.getByTestId('policy').textContent()] as const;
    await frame.getByRole('button', { name: 'Read it again and decide' }).click();
    await dialog.getByRole('button', { name: 'I agree' }).click();
    await ask(frame, 'May I now?');
    await answered();
    await frame.getByRole('button', { name: 'Who can read this?' }).click();
    const words = await dialog.textContent();
    await dialog.getByRole('button', { name: 'Withdraw your consent' }).click();
    await frame.getByText('You have not agreed').waitFor();

    expect(before[0]).to.equal(0);
    expect(before[1]).to.include('only if you agree');
    expect(words).to.include('sees your name with them');
    expect(await field.count()).to.equal(0);
    expect(seat.complaints.slice(known)).to.deep.equal([]);
  });

  it('can be taken along, and be erased for good', async () => {
    const known = seat.complaints.length;
    await more('Your data');
    const [download] = await Promise.all([
      seat.page.waitForEvent('download'),
      frame.getByRole('button', { name: 'Download it (JSON)' }).click(),
    ]);
    const taken = await readFile(await download.path(), 'utf8');
    await frame.getByRole('button', { name: 'Erase it' }).click();
    await frame
      .getByRole('dialog', { name: /^Erase everything/ })
      .getByRole('button', { name: 'Erase it' })
      .click();
    await frame.getByRole('heading', { name: 'Your data has been erased' }).waitFor();
    const left = await frame.locator('body').textContent();
    await changeActivity(course, activity, { transcript_policy: 'none' });
    frame = await seat.open('student1', activity);
    await frame.getByTestId('policy').waitFor();
    await frame.getByRole('button', { name: 'Your conversations' }).click();

    expect(download.suggestedFilename()).to.match(/^bellwether-[\d-]+\.json$/);
    expect(JSON.parse(taken)).to.have.nested.property('conversations[0].messages');
    expect(taken).to.include('To stay?').and.include('May I now?').and.not.include('bwl_');
    expect(left).to.not.include('To stay?').and.not.include('May I now?');
    expect(await frame.getByRole('dialog').textContent()).to.include('You have had no conversation');
    await frame.getByRole('dialog').press('Escape');
    expect(seat.complaints.slice(known)).to.deep.equal([]);
  });

  it('is closed to whoever comes next, once somebody has left', async () => {
    const address = seat.framed().url();

    await more('Leave the activity');
    await frame.getByRole('heading', { name: 'You have left the activity' }).waitFor();
    await seat.framed().goto(address);

    await frame.getByText('Open the activity again from your course').waitFor();
  });
});
