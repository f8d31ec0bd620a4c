import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { say } from '../../../support/fakes/model-script.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { axeFaults } from '../../support/axe.js';
import { aTeacher, anAssistant } from '../../support/chat-fixture.js';
import { signedIn, type Visitor } from '../../support/page-fixture.js';

interface Told {
  readonly up: number;
  readonly down: number;
  readonly comments: readonly { readonly comment: string }[];
}

describeInBrowser('what somebody thinks of an answer', function () {
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

  it('is said with one press, with a reason if they like, and is still there after a reload', async () => {
    const person = await aTeacher(world);
    const { id } = await anAssistant(world, person, [say('A room.')]);
    visitor = await signedIn(world.service, `/chat/new?assistant=${String(id)}`, { as: person });
    const { page } = visitor;
    await page.getByRole('textbox', { name: 'Your question' }).fill('What is a cell?');
    await page.keyboard.press('Enter');
    const rating = page.getByRole('group', { name: 'Was this answer helpful?' });
    const down = rating.getByRole('button', { name: 'Not helpful' });

    await down.click();
    await rating.getByRole('button', { name: 'Say why' }).click();
    await page.getByLabel('What was good, or what was wrong?').fill('Too short.');
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await page.getByTestId('toast').getByText('Thank you.').waitFor();
    const violations = await axeFaults(page.mainFrame());
    await page.reload();
    await down.waitFor();

    expect(await down.getAttribute('aria-pressed')).to.equal('true');
    const { json } = await world.service.request<Told>(`/lamb/v1/assistants/${String(id)}/feedback`, {
      ...{ key: person.key },
    });
    expect(json).to.deep.include({ up: 0, down: 1 });
    expect(json.comments.map(({ comment }) => comment)).to.deep.equal(['Too short.']);
    expect([violations, visitor.complaints]).to.deep.equal([[], []]);
  });
});
