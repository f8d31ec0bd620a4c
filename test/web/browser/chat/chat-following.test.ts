import { expect } from 'chai';
import type { Frame, Page } from 'playwright-core';
import { inDatabase, type Person } from '../../../http/support/users-fixture.js';
import { describeInBrowser } from '../../../support/browser.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import { call, calls, held, say } from '../../../support/fakes/model-script.js';
import { sharedQuietService, weatherFunction, type TestService } from '../../../support/test-service.js';
import { aTeacher, anAssistant } from '../../support/chat-fixture.js';
import { aReadyActivity, aSeat, ask, theCourse, type Seat } from '../../support/lti-frame-fixture.js';
import { keptVisit } from '../../support/kept-visit.js';
import { goTo, signedIn } from '../../support/page-fixture.js';

const LONG = Array.from({ length: 60 }, (_, i) => `Paragraph ${String(i)} of a long answer.`).join('\n\n');
const TOWNS = ['Barcelona', 'Bilbao', 'Girona', 'Vic', 'Reus', 'Lleida', 'Tarragona', 'Olot'];

type Shown = Pick<Page | Frame, 'evaluate'>;
/** How far the end of the page is below what is seen. */
const below = (page: Shown): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollHeight - innerHeight - scrollY');
const drawn = (page: Shown) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
/** Several steps come between two frames: the browser tells of the last movement only afterwards. */
const growAtOnce = async (page: Shown) => {
  await page.evaluate(`(() => {
    const tall = document.createElement('div');
    tall.style.height = '400px';
    [...document.querySelectorAll('[data-testid=answer]')].at(-1).append(tall);
    dispatchEvent(new Event('scroll'));
  })()`);
  await drawn(page);
};

describeInBrowser('a chat that grows', function () {
  this.timeout(120_000);
  let world: TestService;
  let seat: Seat | undefined;
  before(async () => {
    world = await sharedQuietService();
  });
  const kept = keptVisit(async () => signedIn(world.service, '/chat', { as: await aTeacher(world) }));
  afterEach(async () => {
    await seat?.close();
    seat = undefined;
  });

  /** A conversation that is longer than the window, with an assistant that looks up the weather in all towns. */
  async function aLongConversation(person: Person, gate: string): Promise<string> {
    const towns = TOWNS.map((city) => ({ name: 'get_weather', arguments: { city } }));
    const script = [calls(towns), held(gate, say(LONG))];
    const { id: assistantId } = await anAssistant(world, person, script, { tools: [weatherFunction] });
    return inDatabase(world.service, async ({ conversations }) => {
      const made = await conversations.create({ userId: person.id, assistantId, title: 'Long' });
      const kept = { runId: null, incomplete: false };
      await conversations.append({ userId: person.id }, made.id, [
        { role: 'user', content: 'First?', ...kept },
        { role: 'assistant', content: LONG, ...kept },
      ]);
      return made.id;
    });
  }
  async function asking(width = 1200) {
    const { page, person, complaints } = kept();
    const gate = uniqueName('gate');
    const id = await aLongConversation(person, gate);
    await page.setViewportSize({ width, height: 900 });
    await goTo(page, `/chat/${id}`);
    await page.getByTestId('answer').getByText('Paragraph 59').waitFor();
    await page.getByRole('textbox', { name: 'Your question' }).fill('How is the weather everywhere?');
    await page.getByRole('button', { name: 'Send' }).click();
    return { page, complaints, gate };
  }
  const toNewest = (page: Pick<Page, 'getByRole'>) => page.getByRole('button', { name: 'To the newest' });

  it('keeps its steps and its answer in view, however many come at once', async () => {
    const { page, gate } = await asking();
    await page
      .getByTestId('step')
      .nth(TOWNS.length - 1)
      .waitFor();
    await drawn(page);
    const atSteps = await below(page);
    await growAtOnce(page);
    const afterMany = await below(page);
    await world.model.release(gate);
    await page.getByRole('link', { name: 'Details' }).last().waitFor();
    await drawn(page);

    expect(atSteps).to.be.below(2);
    expect(afterMany).to.be.below(2);
    expect(await below(page)).to.be.below(2);
    expect(await toNewest(page).count()).to.equal(0);
  });

  it('leaves whoever has gone up where they are, and takes them to the newest when they ask for it', async () => {
    const { page, complaints, gate } = await asking(390);
    await page
      .getByTestId('step')
      .nth(TOWNS.length - 1)
      .waitFor();
    await page.mouse.move(195, 300);
    await page.mouse.wheel(0, -90);
    await toNewest(page).waitFor();
    const at = await page.evaluate<number>('scrollY');
    await world.model.release(gate);
    await page.getByRole('link', { name: 'Details' }).last().waitFor();
    await drawn(page);
    const stayed = await page.evaluate<number>('scrollY');
    const button = await toNewest(page).boundingBox();
    const send = await page.getByRole('textbox', { name: 'Your question' }).boundingBox();
    await page.getByRole('textbox', { name: 'Your question' }).focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await toNewest(page).waitFor({ state: 'detached' });
    await drawn(page);

    expect(stayed).to.equal(at);
    expect(button!.y + button!.height, 'over the field').to.be.at.most(send!.y);
    expect(await below(page)).to.be.below(2);
    expect(await page.evaluate('document.activeElement.tagName')).to.equal('TEXTAREA');
    expect(complaints).to.deep.equal([]);
  });

  it('does the same inside a course', async () => {
    const course = await theCourse();
    const gate = uniqueName('gate');
    const script = [say(LONG), call('get_weather', { city: 'Vic' }), held(gate, say(LONG))];
    const made = await anAssistant(course.world, course.teacher, script, { tools: [weatherFunction] });
    const activity = await aReadyActivity(course, [made]);
    seat = await aSeat(course);
    const frame = await seat.open('student1', activity);
    await ask(frame, 'One?');
    await frame.getByTestId('answer').getByText('Paragraph 59').waitFor();
    await ask(frame, 'Two?');
    await frame.getByTestId('step').last().waitFor();
    const shown = seat.framed();
    await growAtOnce(shown);
    const followed = await below(shown);
    await shown.evaluate('scrollBy(0, -500)');
    await frame.getByRole('button', { name: 'To the newest' }).click();
    await course.world.model.release(gate);
    await frame.getByTestId('answer').nth(1).getByText('Paragraph 59').waitFor();
    await drawn(shown);

    expect(followed).to.be.below(2);
    expect(await below(shown)).to.be.below(2);
  });
});
