import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { anEncryptedPdf } from '../../../support/documents.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import { say } from '../../../support/fakes/model-script.js';
import { configure, providers } from '../../../http/support/settings-client.js';
import { speakingTo } from '../../../http/support/users-fixture.js';
import { anAssistant } from '../../support/chat-fixture.js';
import { aReadyActivity, aSeat, type Course, type Seat, theCourse } from '../../support/lti-frame-fixture.js';

describeInBrowser('the chat in a course', function () {
  this.timeout(120_000);
  let course: Course;
  let seat: Seat;
  before(async () => {
    course = await theCourse();
  });
  afterEach(() => seat.close());
  // The teacher is of all suites.
  after(() => configure(course.world.service, course.teacher, speakingTo(course.world.model)));

  it('takes files, offers what to ask next, and is saved or printed', async () => {
    const { world, teacher } = course;
    const small = uniqueName('small');
    await world.model.script(small, [say(JSON.stringify({ follow_ups: ['How old?'] }))], { repeat: true });
    const fast = { small_fast_model: { provider: 'openai', model: small } };
    await configure(world.service, teacher, providers({ base_url: `${world.model.url}/v1` }, fast));
    const assistant = await anAssistant(world, teacher, [say('A ewe.'), say('Six.')], {
      metadata: { attachments: { enabled: true }, follow_ups: true },
    });
    seat = await aSeat(course);
    const frame = await seat.open('student1', await aReadyActivity(course, [assistant]));
    const pending = frame.getByTestId('pending-file');
    const buffer = Buffer.from('Dolly is a ewe.');

    await frame.getByTestId('picture-input').setInputFiles([
      { name: 'notes.txt', mimeType: 'text/plain', buffer },
      { name: 'locked.pdf', mimeType: 'application/pdf', buffer: anEncryptedPdf() },
    ]);
    await pending.filter({ hasText: 'notes.txt' }).filter({ hasText: 'ready' }).waitFor();
    await pending.filter({ hasText: 'protected with a password' }).waitFor();
    await frame.getByRole('textbox', { name: 'Your question' }).fill('Who is Dolly?');
    await frame.getByRole('button', { name: 'Send' }).click();
    await frame.getByTestId('sent-file').getByText('notes.txt').waitFor();
    await frame.getByTestId('follow-ups').getByRole('button', { name: 'How old?' }).click();
    await frame.getByTestId('answer').getByText('Six.').waitFor();
    await frame.locator('header').getByRole('button').last().click();
    const download = seat.page.waitForEvent('download');
    await frame.getByTestId('export-markdown').click();
    const saved = await readFile(await (await download).path(), 'utf8');
    await seat.page.emulateMedia({ media: 'print' });

    expect(saved).to.contain('> Who is Dolly?').and.to.contain('A ewe.').and.to.contain('> How old?');
    await frame.getByTestId('answer').getByText('Six.').waitFor();
    expect(await frame.locator('button:visible, textarea:visible').count()).to.equal(0);
    const [prompt] = await world.model.ledger(assistant.model);
    expect(JSON.stringify(prompt?.body.messages)).to.contain('Dolly is a ewe.');
    expect(seat.complaints).to.deep.equal([]);
  });
});
