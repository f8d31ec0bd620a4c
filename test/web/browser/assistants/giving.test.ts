import { expect } from 'chai';
import { aLinkedAssistant, tokenIn } from '../../../http/support/link-fixture.js';
import { describeInBrowser, visit, type Visit } from '../../../support/browser.js';
import { say } from '../../../support/fakes/model-script.js';
import { aLearningPlatform } from '../../../support/launched.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { axeFaults, faultsInBothThemes } from '../../support/axe.js';
import { signedIn, type Visitor } from '../../support/page-fixture.js';

describeInBrowser('giving an assistant to students', function () {
  this.timeout(120_000);
  let world: TestService;
  let teacher: Visitor | undefined;
  let guest: Visit | undefined;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(async () => {
    await teacher?.close();
    await guest?.close();
  });

  const aClass = () => aLinkedAssistant(world, { steps: [say('Cells are small.'), say('Very small.')] });
  const pageOf = ({ assistant, teacher: as }: Awaited<ReturnType<typeof aClass>>) =>
    signedIn(world.service, `/assistants/${String(assistant.id)}/give`, { as });

  it('is one page: a link with its QR code, which somebody without an account opens and chats', async () => {
    const linked = await aClass();
    await aLearningPlatform(world.service, linked.teacher);
    teacher = await pageOf(linked);
    const { page } = teacher;

    await page.getByRole('button', { name: 'Make a link' }).click();
    const url = await page.getByTestId('public-link').locator('input').inputValue();
    await page.getByText('Whoever has the link, without an account.').waitFor();
    await page.getByRole('button', { name: 'QR code' }).click();
    await page.getByRole('img', { name: `QR code of the link to ${linked.assistant.name}` }).waitFor();
    const withCode = await axeFaults(page.mainFrame());
    await page.keyboard.press('Escape');
    await page.getByText('Select content').first().waitFor();
    const onPage = await faultsInBothThemes(page);

    guest = await visit(world.service.url);
    await guest.page.goto(url);
    await guest.page.getByText('An AI assistant offered by School.').waitFor();
    const before = await faultsInBothThemes(guest.page);
    await guest.page.getByRole('textbox').fill('What is a cell?');
    await guest.page.keyboard.press('Enter');
    await guest.page.getByText('Cells are small.').first().waitFor();
    await guest.page.reload();
    await guest.page.getByText('Cells are small.').first().waitFor();
    const after = await faultsInBothThemes(guest.page);

    expect([...withCode, ...onPage, ...before, ...after]).to.deep.equal([]);
    expect([...teacher.complaints, ...guest.complaints]).to.deep.equal([]);
  });

  it('ends when the link is revoked: whoever is there is told at once that it leads nowhere, and nothing of a new visit', async () => {
    const linked = await aClass();
    const { url } = await linked.link();
    guest = await visit(world.service.url);
    await guest.page.goto(url);
    await guest.page.getByRole('textbox').waitFor();
    teacher = await pageOf(linked);

    await teacher.page.getByRole('button', { name: 'Revoke' }).click();
    await teacher.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await teacher.page.getByTestId('public-link').waitFor({ state: 'detached' });
    await guest.page.getByRole('textbox').fill('Still there?');
    await guest.page.keyboard.press('Enter');
    const told = guest.page.getByRole('heading', { name: /visit is over|nothing to open/ });

    // The first that is said, and not what is found out later.
    expect(await told.innerText()).to.equal('There is nothing to open here');
    expect(await faultsInBothThemes(guest.page)).to.deep.equal([]);
  });

  for (const [what, end] of [
    ['its organisation allows no more links', ({ allow }) => allow({})],
    [
      'its assistant is deleted',
      ({ assistant, teacher: { key } }) =>
        world.service.request(`/lamb/v1/assistants/${String(assistant.id)}`, { method: 'DELETE', key }),
    ],
  ] satisfies [string, (linked: Awaited<ReturnType<typeof aClass>>) => Promise<unknown>][]) {
    it(`says at once, in the middle of a chat, that it leads nowhere when ${what}`, async () => {
      const linked = await aClass();
      const { url } = await linked.link();
      guest = await visit(world.service.url);
      const { page } = guest;
      await page.goto(url);
      await page.getByRole('textbox').fill('What is a cell?');
      await page.keyboard.press('Enter');
      await page.getByText('Cells are small.').first().waitFor();

      await end(linked);
      await page.getByRole('textbox').fill('Still there?');
      await page.keyboard.press('Enter');
      const gone = page.getByRole('heading', { name: 'There is nothing to open here' });
      await gone.or(page.getByRole('alert')).first().waitFor();
      expect(await gone.count()).to.equal(1);
    });
  }

  it('can be begun again when only the visit is over, and is not said to be revoked', async () => {
    const linked = await aClass();
    const { url } = await linked.link();
    guest = await visit(world.service.url);
    const { page } = guest;
    await page.goto(url);
    await page.getByRole('textbox').waitFor();
    const key = await page.evaluate<string>(`sessionStorage['bellwether.visit.${tokenIn(url)}']`);
    await world.service.request('/lamb/v1/links/visit', { method: 'DELETE', key });

    await page.getByRole('textbox').fill('Still there?');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your visit is over' }).waitFor();
    await page.getByRole('button', { name: 'Begin again' }).click();
    await page.getByRole('textbox').waitFor();
  });
});
