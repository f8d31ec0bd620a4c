import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { aLinkedAssistant } from '../../../http/support/link-fixture.js';
import { aColleagueOf, shareWith } from '../../../http/support/users-fixture.js';
import { describeInBrowser, visit } from '../../../support/browser.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import { say } from '../../../support/fakes/model-script.js';
import { PICTURES } from '../../../support/pictures.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { anAssistant, aTeacher } from '../../support/chat-fixture.js';
import { aReadyActivity, aSeat, theCourse } from '../../support/lti-frame-fixture.js';
import { keptVisit } from '../../support/kept-visit.js';
import { goTo, signedIn } from '../../support/page-fixture.js';

const FACE = {
  greeting: 'Hello! I know **cells**.',
  starters: ['What is a cell?', 'Why are leaves green?'],
  avatar: { emoji: '🌱', color: 'green' },
};

describeInBrowser('how an assistant appears', function () {
  this.timeout(120_000);
  let world: TestService;
  before(async () => {
    world = await sharedQuietService();
  });
  const kept = keptVisit(async () => signedIn(world.service, '/assistants', { as: await aTeacher(world) }));

  const starters = async (page: Page) => {
    const fields = await page.locator('input[name=starter]').all();
    return Promise.all(fields.map((field) => field.inputValue()));
  };

  it('is set in the form, with the keyboard alone but for the file', async () => {
    const { page, person, complaints } = kept();
    await goTo(page, '/multi-tool-assistants/create');
    const name = uniqueName('Tutor');
    await page.locator('input[name=name]').fill(name);
    await page.getByText('How it appears').click();

    await page.getByRole('button', { name: '🦉' }).press('Enter');
    await page.getByRole('radio', { name: 'Teal' }).press('ArrowRight');
    await page.getByLabel(/^Greeting/).fill('Hello, **you**.');
    for (const question of ['Second?', 'First?', 'Not this?']) {
      await page.getByRole('button', { name: 'Add a question' }).press('Enter');
      await page.keyboard.type(question);
    }
    await page.getByRole('textbox', { name: 'Question 2' }).press('Alt+ArrowUp');
    await page.getByRole('button', { name: 'Remove question 3' }).press('Enter');
    const written = await starters(page);
    await page.getByLabel(/^Tags/).pressSequentially('Biology, Year 9, biology,Gone');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Backspace');
    await page.getByTestId('save').click();
    await page.getByTestId('toast').getByText(`“${name}” was created.`).waitFor();
    const { json } = await world.service.request<{ data: Record<string, unknown>[] }>(
      ...(['/lamb/v1/assistants', { key: person.key }] as const),
    );

    expect(written).to.deep.equal(['First?', 'Second?']);
    expect(json.data[0]).to.deep.include({
      avatar: { emoji: '🦉', color: 'blue' },
      greeting: 'Hello, **you**.',
      starters: ['First?', 'Second?'],
      tags: ['Biology', 'Year 9'],
    });
    expect(complaints).to.deep.equal([]);
  });

  it('may be a picture, which is seen at once and by others once it is saved; what is none is told', async () => {
    const { page, person, complaints } = kept();
    const { id } = await anAssistant(world, person, []);
    await goTo(page, `/assistants/${String(id)}`);
    const file = page.getByTestId('avatar-file');
    await page.getByText('How it appears').click();

    await file.setInputFiles({ name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await page.getByText('no.png is no picture that can be used.').waitFor();
    await file.setInputFiles({ name: 'sheep.png', mimeType: 'image/png', buffer: PICTURES.png });
    await page.locator('fieldset [data-testid=avatar] img').first().waitFor();
    await page.getByTestId('save').click();
    await page.getByTestId('toast').getByText('Saved.').waitFor();
    const guest = await aColleagueOf(world.service, person);
    await shareWith(world.service, id, guest);
    const other = await signedIn(world.service, '/assistants', { as: guest });
    await other.page.locator('[data-testid=assistant] [data-testid=avatar] img').waitFor();

    expect([...complaints, ...other.complaints]).to.deep.equal([]);
    await other.close();
  });

  it('has its questions drafted on request, or told why not', async () => {
    const { page, person, complaints } = kept();
    const { id } = await anAssistant(world, person, [], { starters: ['Mine?'] });
    await goTo(page, `/assistants/${String(id)}`);
    const drafted = { starters: ['Theirs?', 'Mine?'] };
    await page.route('**/draft-starters', (route) => route.fulfill({ json: drafted }), { times: 1 });

    await page.getByText('How it appears').click();
    await page.getByRole('button', { name: 'Draft questions with AI' }).click();
    await page.getByRole('textbox', { name: 'Question 2' }).waitFor();
    const written = await starters(page);
    const message = 'A language model is not configured. An administrator can set it up.';
    const error = { message, type: 'invalid_request_error', code: 'unknown', param: null };
    await page.route('**/draft-starters', (route) => route.fulfill({ status: 422, json: { error } }));
    await page.getByRole('button', { name: 'Draft questions with AI' }).click();
    await page.getByText(message).waitFor();

    expect(written).to.deep.equal(['Mine?', 'Theirs?']);
    expect(complaints.filter((each) => !each.includes('422'))).to.deep.equal([]);
  });

  it('is seen in lists, where its tags narrow them', async () => {
    const { page, person, complaints } = kept();
    const [tagged] = [
      await anAssistant(world, person, [], { ...FACE, tags: ['Botany'] }),
      await anAssistant(world, person, [], { tags: ['History'] }),
    ];
    await goTo(page, '/assistants');
    const rows = page.getByTestId('assistant');
    const chip = page.getByRole('group', { name: 'Tags' }).getByRole('button', { name: 'Botany' });

    await rows.nth(1).waitFor();
    await chip.click();
    await rows.nth(1).waitFor({ state: 'detached' });
    const { pathname, search } = new URL(page.url());
    await goTo(page, pathname + search);
    await rows.first().waitFor();
    const found = await rows.locator('h3').allTextContents();
    const avatar = await rows.getByTestId('avatar').textContent();
    await chip.click();
    await rows.nth(1).waitFor();
    await goTo(page, '/welcome');
    await page.getByTestId('own-assistant').first().getByTestId('avatar').waitFor();

    expect(found.map((each) => each.trim())).to.deep.equal([tagged.name]);
    expect(avatar?.trim()).to.equal('🌱');
    expect(complaints).to.deep.equal([]);
  });

  it('begins a chat with its greeting and its questions, which are asked by a click', async () => {
    const { page, person, complaints } = kept();
    const { id, model } = await anAssistant(world, person, [say('It is a unit of life.')], FACE);
    await goTo(page, `/chat/new?assistant=${String(id)}`);
    const opening = page.getByTestId('opening');

    await opening.locator('strong').waitFor();
    const faults = await faultsInBothThemes(page);
    await opening.getByRole('button', { name: 'What is a cell?' }).click();
    await page.getByTestId('answer').getByText('It is a unit of life.').waitFor();
    const [asked] = await world.model.ledger(model);

    expect(faults).to.deep.equal([]);
    expect(asked?.body.messages.at(-1)?.content).to.equal('What is a cell?');
    expect(await opening.textContent()).to.include('Hello! I know cells.');
    expect(await opening.getByRole('button').count()).to.equal(0);
    expect(await page.evaluate('document.activeElement.tagName')).to.equal('TEXTAREA');
    expect(complaints).to.deep.equal([]);
  });

  it('is the same on the page in a course', async () => {
    const course = await theCourse();
    const { teacher } = course;
    const assistant = await anAssistant(course.world, teacher, [say('By chlorophyll.')], FACE);
    const seat = await aSeat(course);
    const frame = await seat.open('student1', await aReadyActivity(course, [assistant]));

    await frame.getByTestId('opening').locator('strong').waitFor();
    const avatar = await frame.getByTestId('opening').getByTestId('avatar').textContent();
    await frame.getByRole('button', { name: 'Why are leaves green?' }).click();
    await frame.getByTestId('answer').getByText('By chlorophyll.').waitFor();

    expect(avatar?.trim()).to.equal('🌱');
    expect(seat.complaints).to.deep.equal([]);
    await seat.close();
  });

  it('is the same on the page of a link', async () => {
    const linked = await aLinkedAssistant(world, { steps: [say('By chlorophyll.')], content: FACE });
    const { url } = await linked.link();
    const { page, complaints, close } = await visit(world.service.url);
    await page.goto(url);

    await page.getByTestId('opening').locator('strong').waitFor();
    const avatar = await page.getByTestId('opening').getByTestId('avatar').textContent();
    const faults = await faultsInBothThemes(page);
    await page.getByRole('button', { name: 'Why are leaves green?' }).click();
    await page.getByTestId('answer').getByText('By chlorophyll.').waitFor();
    await close();

    expect(avatar?.trim()).to.equal('🌱');
    expect([...faults, ...complaints]).to.deep.equal([]);
  });
});
