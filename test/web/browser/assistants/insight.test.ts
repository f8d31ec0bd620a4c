import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { say } from '../../../support/fakes/model-script.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { axeFaults, faultsInBothThemes } from '../../support/axe.js';
import { anAssistant, aTeacher } from '../../support/chat-fixture.js';
import { aCollection, signedIn, type Visitor } from '../../support/page-fixture.js';

describeInBrowser('insight into an assistant', function () {
  this.timeout(120_000);
  let world: TestService;
  let visitor: Visitor | undefined;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(async () => {
    await visitor?.close();
    visitor = undefined;
  });

  it('leads from an answer that was no help to a corrected one, which the model is shown from then on', async () => {
    const person = await aTeacher(world);
    const { id: collection } = await aCollection(world.service, person);
    const tools = [{ type: 'simple_rag', mode: 'function', config: { collections: [collection] } }];
    const assistant = await anAssistant(world, person, [say('On some day.')], { repeat: true, tools });
    const ask = async (content: string) => {
      const body = { messages: [{ role: 'user', content }], conversation_id: 'new' };
      const { headers } = await world.service.chat(assistant.id, body, { key: person.key });
      return headers.get('x-run-id') ?? '';
    };
    const run = await ask('When is the essay about Rome due?');
    await ask('When is our essay about Rome due?');
    const feedback = { rating: 'down', comment: 'That does not help.' };
    await world.service.request(`/lamb/v1/runs/${run}/feedback`, { key: person.key, body: feedback });

    visitor = await signedIn(world.service, `/assistants/${String(assistant.id)}/insight`, { as: person });
    const { page } = visitor;
    const told = page.getByTestId('feedback');
    await told.getByText('That does not help.').waitFor();
    await told.getByText('On some day.').waitFor();
    expect((await told.getByRole('listitem').allInnerTexts()).join(' ')).to.match(
      /Helpful\s+0\s+Not helpful\s+1\b/,
    );
    await page.getByTestId('frequent').getByText('2 questions').waitFor();
    await page.getByTestId('sourceless').getByText('2 of 2 answers.').waitFor();
    const faults = await faultsInBothThemes(page);

    await told.getByRole('button', { name: 'Correct this answer' }).click();
    await page.getByLabel('The answer you want').fill('It is due on Friday at noon.');
    faults.push(...(await axeFaults(page.mainFrame())));
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    const corrected = page.getByTestId('annotation');
    await corrected.getByText('In use').waitFor();
    await ask('When is the essay on Rome due?');
    const heard = async () =>
      JSON.stringify((await world.model.ledger(assistant.model)).at(-1)?.body.messages);
    expect(await heard()).to.include('due on Friday at noon');

    await corrected.getByRole('button', { name: /^More about/ }).click();
    await page.getByRole('menuitem', { name: 'Take out of use' }).click();
    await corrected.getByText('Draft').waitFor();
    await ask('When is the essay on Rome due?');
    expect(await heard()).not.to.include('due on Friday at noon');
    expect([...faults, ...visitor.complaints]).to.deep.equal([]);
  });
});
