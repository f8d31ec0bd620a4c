import { expect } from 'chai';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { aPerson, type Person } from '../../../http/support/users-fixture.js';
import { describeInBrowser } from '../../../support/browser.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import { say } from '../../../support/fakes/model-script.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { aConversation, anAssistant, aTeacher } from '../../support/chat-fixture.js';
import { aLink, aSeat, setUp, theCourse } from '../../support/lti-frame-fixture.js';
import { aCollection, drop, signedIn, type Visitor } from '../../support/page-fixture.js';

const WIDTHS = [1200, 390];

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox();
  if (!box) throw new Error('It is not shown.');
  return box;
}

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describeInBrowser('what is shown', function () {
  this.timeout(120_000);
  let world: TestService;
  let visitor: Pick<Visitor, 'close'>;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(() => visitor.close());

  const toast = (page: Page | FrameLocator) => page.getByTestId('toast').first();
  const arrived = async (path: string, as: Person) => {
    const come = await signedIn(world.service, path, { as });
    visitor = come;
    return come;
  };

  it('leaves the parts of an activity, and Send, to be pressed while there is news in a course, and is no wider than its frame whatever an assistant is called', async () => {
    const course = await theCourse();
    const assistant = await anAssistant(course.world, course.teacher, [say('One.')]);
    const longName = uniqueName('long'.repeat(15));
    await anAssistant(course.world, course.teacher, [say('Two.')], { name: longName });
    const seat = await aSeat(course);
    visitor = seat;
    const frame = await setUp(seat, await aLink(course), {
      ...{ as: course.teacher, choose: [assistant.name, longName] },
    });
    const news = await boxOf(toast(frame));
    const send = await boxOf(frame.getByRole('button', { name: 'Send' }));
    const parts = await boxOf(frame.getByRole('tablist'));

    expect(overlap(news, send), 'Send').to.equal(false);
    expect(overlap(news, parts), 'the parts').to.equal(false);
    await seat.page.setViewportSize({ width: 390, height: 900 });
    await frame.getByRole('radio', { name: longName }).waitFor();
    const isWide = await seat.framed().evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
    expect(isWide, 'wider than its frame').to.equal(false);
  });

  it('leaves Send to be pressed while there is news, on a desk and in a hand', async () => {
    const person = await aTeacher(world);
    const assistant = await anAssistant(world, person, [say('One.'), say('Two.')]);
    await aConversation(world, person, assistant, 'Goes?');
    await aConversation(world, person, assistant, 'Stays?');
    const { page } = await arrived('/chat', person);
    await page.getByRole('button', { name: /Goes\?/ }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await toast(page).waitFor();
    await page.getByRole('link', { name: 'Stays?' }).click();
    await page.getByRole('button', { name: 'Send' }).waitFor();

    for (const width of WIDTHS) {
      await becomes(page, width);
      const news = await boxOf(toast(page));
      const send = await boxOf(page.getByRole('button', { name: 'Send' }));
      const field = await boxOf(page.getByRole('textbox', { name: 'Your question' }));
      const at = `at a width of ${String(width)}`;

      expect(overlap(news, send), `Send ${at}`).to.equal(false);
      expect(overlap(news, field), `where one writes ${at}`).to.equal(false);
      expect(news.x >= 0 && news.x + news.width <= width, `within the window ${at}`).to.equal(true);
    }
  });

  it('leaves Save, and a dialog, to be pressed while there is news, on a desk and in a hand', async () => {
    const admin = await aPerson(world.service, { role: 'org_admin' });
    const { page } = await arrived(`/admin/organizations/${String(admin.organizationId)}`, admin);
    const save = page.getByRole('button', { name: 'Save' });
    const address = page.getByRole('region', { name: 'OpenAI' }).getByLabel('Address');
    await page.getByRole('button', { name: 'Set up: OpenAI' }).click();
    await address.fill('https://models.example.org/v1');
    await save.click();
    await toast(page).waitFor();
    await address.fill('https://models.example.com/v1');
    await save.waitFor();
    const covered: Record<number, boolean> = {};
    for (const width of WIDTHS) {
      await becomes(page, width);
      covered[width] = overlap(await boxOf(toast(page)), await boxOf(save));
    }
    await page.getByRole('button', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').waitFor();
    const reached: Record<number, unknown> = {};
    for (const width of WIDTHS.toReversed()) {
      await becomes(page, width);
      reached[width] = await page.evaluate(`
        [...document.querySelectorAll('dialog[open] :is(button, input)')].map((each) => {
          const { x, y, width, height } = each.getBoundingClientRect();
          return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('dialog') != null;
        })`);
    }

    expect(covered, 'Save, by width').to.deep.equal({ 1200: false, 390: false });
    expect(await toast(page).isVisible()).to.equal(true);
    const all = [true, true, true, true];
    expect(reached, 'what is in the dialog, by width').to.deep.equal({ 1200: all, 390: all });
  });

  it('writes the name of a refused file on one line or two, on a desk and in a hand', async () => {
    const person = await aPerson(world.service);
    const { id } = await aCollection(world.service, person);
    const { page } = await arrived(`/knowledge/${id}`, person);
    await page.getByText('Drop files here').waitFor();
    await drop(page, { name: 'a program that is no document.exe', text: 'MZ\u0000\u0001' });
    await page.getByTestId('upload').getByText('Not uploaded').waitFor();

    for (const width of WIDTHS) {
      await becomes(page, width);
      const { height } = await boxOf(page.getByTestId('upload').locator('.name'));
      const { width: taken } = await boxOf(page.getByTestId('upload'));

      expect(height, `at a width of ${String(width)}`).to.be.below(60);
      expect(taken).to.be.at.most(width);
    }
  });
});

/** As when a window is made smaller; the page has heard of it when it has been painted again. */
async function becomes(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate('new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))');
}
