import { expect } from 'chai';
import type { FrameLocator, Page } from 'playwright-core';
import { describeInBrowser } from '../../../support/browser.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import { hang, partialText, say } from '../../../support/fakes/model-script.js';
import { type Network, startNetwork } from '../../../support/fakes/network.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { aTeacher, anAssistant } from '../../support/chat-fixture.js';
import {
  aReadyActivity,
  aSeat,
  ask as askInCourse,
  type Seat,
  theCourse,
} from '../../support/lti-frame-fixture.js';
import { keptVisit } from '../../support/kept-visit.js';
import { goTo, signedIn } from '../../support/page-fixture.js';

const WORDS = Array.from({ length: 40 }, (_, i) => `word${String(i)}`).join(' ');
const HALF = 'word15';

describeInBrowser('an answer on a page', function () {
  this.timeout(120_000);
  let world: TestService;
  let network: Network;
  let seat: Seat | undefined;
  before(async () => {
    world = await sharedQuietService();
    network = await startNetwork(world.service.url);
  });
  const kept = keptVisit(async () =>
    signedIn({ ...world.service, url: network.url }, '/chat', { as: await aTeacher(world) }),
  );
  afterEach(async () => {
    network.up();
    await seat?.close();
    seat = undefined;
  });
  after(() => {
    network.stop();
  });

  const half = (gate: string) => say(WORDS, { chunks: 40, pause: { after: 20, until: gate } });
  /** Somebody who has asked, and sees one half of the answer. */
  async function halfAnswered() {
    const { page, person, complaints } = kept();
    const gate = uniqueName('gate');
    const { id } = await anAssistant(world, person, [half(gate)]);
    await goTo(page, `/chat/new?assistant=${String(id)}`);
    await page.getByRole('textbox', { name: 'Your question' }).fill('Which words?');
    await page.keyboard.press('Enter');
    await page.getByTestId('answer').getByText(HALF).waitFor();
    return { page, complaints, release: () => world.model.release(gate) };
  }
  const ended = (page: Pick<Page | FrameLocator, 'getByTestId'>) =>
    page.getByTestId('answer').getByRole('button', { name: 'Copy the answer' }).waitFor();
  const said = async (page: Pick<Page | FrameLocator, 'getByTestId'>) => ({
    questions: await page.getByTestId('question').count(),
    answers: (await page.getByTestId('answer').locator('.markdown').allTextContents()).map((text) =>
      text.trim(),
    ),
  });
  const ONCE = { questions: 1, answers: [WORDS] };

  it('grows on after a reload in the middle of it, with its question and every word once', async () => {
    const { page, complaints, release } = await halfAnswered();

    await page.reload();
    await page.getByTestId('answer').getByText(HALF).waitFor();
    const isBusy = await page.getByRole('button', { name: 'Stop' }).isVisible();
    await release();
    await ended(page);

    expect(isBusy).to.equal(true);
    expect(await said(page)).to.deep.equal(ONCE);
    expect(complaints).to.deep.equal([]);
  });

  it('goes on when the network was lost, says so meanwhile, and has every word once', async () => {
    const { page, release } = await halfAnswered();

    network.down();
    const line = page.getByTestId('line').getByText('Reconnecting');
    await line.waitFor();
    await release();
    network.up();
    await ended(page);

    expect(await line.count()).to.equal(0);
    expect(await said(page)).to.deep.equal(ONCE);
  });

  it('is there for somebody who has gone to another page and come back', async () => {
    const { page, release } = await halfAnswered();
    const address = new URL(page.url()).pathname;

    await goTo(page, '/chat');
    await release();
    await goTo(page, address);
    await ended(page);

    expect(await said(page)).to.deep.equal(ONCE);
  });

  it('is stopped at the model by Stop, and the next question knows what was said', async () => {
    const { page, person } = kept();
    const { id, model } = await anAssistant(world, person, [hang(3), say('And more.')]);
    await goTo(page, `/chat/new?assistant=${String(id)}`);
    const box = page.getByRole('textbox', { name: 'Your question' });

    await box.fill('Which words?');
    await page.keyboard.press('Enter');
    await page.getByTestId('answer').getByText('token token').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByTestId('answer').getByText('Stopped.').waitFor();
    await world.model.waitFor(model, { closed: 1 });
    await box.fill('Go on');
    await page.keyboard.press('Enter');
    await page.getByTestId('answer').getByText('And more.').waitFor();

    const prompt = (await world.model.ledger(model)).at(-1)?.body.messages.map(({ content }) => content);
    expect(prompt?.slice(-3)).to.deep.equal(['Which words?', partialText(3), 'Go on']);
  });

  it('survives a reload and is stopped in the same way inside a course', async () => {
    const course = await theCourse();
    const gate = uniqueName('gate');
    const made = await anAssistant(course.world, course.teacher, [half(gate), hang(3)]);
    const activity = await aReadyActivity(course, [made]);
    seat = await aSeat(course);
    const frame = await seat.open('student1', activity);
    await askInCourse(frame, 'Which words?');
    await frame.getByTestId('answer').getByText(HALF).waitFor();

    await seat.reloadFrame();
    await frame.getByTestId('answer').getByText(HALF).waitFor();
    await course.world.model.release(gate);
    await ended(frame);
    const whole = await said(frame);
    await askInCourse(frame, 'More?');
    await frame.getByTestId('answer').getByText('token token').waitFor();
    await frame.getByRole('button', { name: 'Stop' }).click();
    await course.world.model.waitFor(made.model, { closed: 1 });
    await frame.getByTestId('answer').getByText('Stopped.').waitFor();

    expect(whole).to.deep.equal(ONCE);
    expect(seat.complaints).to.deep.equal([]);
  });
});
