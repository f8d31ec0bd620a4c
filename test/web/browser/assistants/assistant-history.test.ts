import { expect } from 'chai';
import { aColleagueOf, aPerson, disable } from '../../../http/support/users-fixture.js';
import { describeInBrowser } from '../../../support/browser.js';
import { sharedQuietService, weatherFunction, type TestService } from '../../../support/test-service.js';
import { signedIn, type Visitor } from '../../support/page-fixture.js';

const HOSTILE = `<svg onload="window.hacked=1"> <script>window.hacked=1</script>`;

describeInBrowser('the pages of an assistant', function () {
  this.timeout(120_000);
  let world: TestService;
  let visitor: Visitor;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(() => visitor.close());

  it('tell what changed between any two versions, and bring one back', async () => {
    const person = await aPerson(world.service);
    const { key } = person;
    const { id } = await world.service.createAssistant(
      {
        ...{ name: HOSTILE, system_prompt: 'You help.\nBe kind to students.' },
        metadata: { _format_version: 2, llm: 'small', tools: [weatherFunction] },
      },
      { key },
    );
    const path = `/lamb/v1/assistants/${String(id)}`;
    const change = (version: number, body: object) =>
      world.service.request(path, { method: 'PUT', key, body: { name: HOSTILE, version, ...body } });
    await change(1, { system_prompt: `You help.\nBe fair to students.\n${HOSTILE}` });
    const switched = { tool_routing: 'fast', nightly_suite: true, pedagogy: { hints: { levels: 3 } } };
    await change(2, { metadata: { _format_version: 2, llm: HOSTILE, tools: [], ...switched } });
    visitor = await signedIn(world.service, `/assistants/${String(id)}/versions`, { as: person });
    const { page, complaints } = visitor;
    const changes = (of: string) => page.locator(`[data-testid=changes][data-of="${of}"]`);
    const sentences = changes('2-3').getByTestId('setting-change').getByRole('paragraph');

    await changes('2-3').waitFor();
    const settings = await sentences.allTextContents();
    const values = await changes('2-3').locator('dd.after').allInnerTexts();
    await page.getByRole('button', { name: 'What changed in version 2' }).click();
    await changes('1-2').waitFor();
    const removed = await changes('1-2').locator('li.removed').allTextContents();
    const added = await changes('1-2').locator('li.added').allTextContents();
    const inChat = await page.getByRole('link', { name: 'Compare in chat' }).getAttribute('href');
    await page.getByLabel('From').selectOption('Version 1');
    await page.getByLabel('To', { exact: true }).selectOption('Version 3 (Current)');
    await changes('1-3').getByTestId('text-diff').waitFor();
    await page.reload();
    await changes('1-3').getByTestId('text-diff').waitFor();
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await changes('3-4').waitFor();
    const current = page.getByTestId('version').filter({ hasText: 'Current' });
    await current.getByText('Version 4').waitFor();

    expect(settings).to.deep.equal([
      'Model was changed',
      'Choose tools first was added',
      'Run the tests every night was added',
      'How it teaches › Hints in steps › How many steps was added',
      'Weather was removed',
    ]);
    expect(values.slice(1)).to.deep.equal(['yes', 'yes', '3']);
    expect(removed.map(plain)).to.deep.equal(['− Removed: Be kind to students.']);
    expect(added.map(plain)).to.deep.equal(['+ Added: Be fair to students.', `+ Added: ${HOSTILE}`]);
    expect(inChat).to.equal(`/chat/compare?a=${String(id)}%401&b=${String(id)}%402`);
    const { json } = await world.service.request<Record<string, unknown>>(path, { key });
    expect(json).to.include({ version: 4, system_prompt: 'You help.\nBe kind to students.' });
    expect(await page.evaluate('window.hacked')).to.equal(undefined);
    expect(complaints).to.deep.equal([]);
  });

  it('publish, share, stop sharing, and say who may use it and why', async () => {
    const owner = await aPerson(world.service);
    const [friend, other, closed] = await Promise.all([
      aColleagueOf(world.service, owner),
      aColleagueOf(world.service, owner),
      aColleagueOf(world.service, owner),
    ]);
    await disable(world.service, closed);
    const { id } = await world.service.createAssistant({ name: 'Shared one' }, { key: owner.key });
    visitor = await signedIn(world.service, `/assistants/${String(id)}/sharing`, { as: owner });
    const { page, complaints } = visitor;
    const verdict = page.getByTestId('verdict');
    const why = async (email: string, rule: string) => {
      await page.getByLabel('E-mail', { exact: true }).fill(email);
      await page.getByRole('button', { name: 'Check' }).click();
      await page.locator(`[data-testid=verdict][data-rule=${rule}]`).waitFor();
      return plain((await verdict.textContent()) ?? '');
    };
    const share = async (email: string) => {
      await page.getByLabel('E-mail of a colleague').fill(email);
      await page.getByRole('button', { name: 'Share', exact: true }).click();
    };

    await share('nobody@example.test');
    await page.getByText('Nobody in this organisation has this address.').waitFor();
    await share(owner.email);
    await page.getByText('This is its owner').waitFor();
    await share(friend.email);
    await page.getByTestId('share').getByText(friend.email).waitFor();
    await page.getByTestId('shared').getByText('Shared with 1').waitFor();
    const forFriend = await why(friend.email, 'shared');
    const forOther = await why(other.email, 'none');
    await page.getByLabel('Everybody in its organisation').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByTestId('published').waitFor();
    const left = await verdict.count();
    const nowForOther = await why(other.email, 'published_organization');
    const forClosed = await why(closed.email, 'account_disabled');
    await page.getByRole('button', { name: `Stop sharing with ${friend.email}` }).click();
    await page.getByText('It is shared with nobody by name.').waitFor();
    await page.getByTestId('toast').getByRole('button', { name: 'Undo' }).click();
    await page.getByTestId('share').getByText(friend.email).waitFor();

    expect(forFriend).to.equal(`May use it It is shared with ${friend.email}.`);
    expect(forOther).to.match(
      /^May not use it It is not .+’s, not shared with them and not published to them\.$/,
    );
    expect(left).to.equal(0);
    expect(nowForOther).to.match(/^May use it It is published to the organisation/);
    expect(forClosed).to.match(/^May not use it The account of .+ is switched off\.$/);
    // What the service refuses on purpose is said by the browser, too.
    expect(complaints.filter((each) => !/status of 40[04]/.test(each))).to.deep.equal([]);
  });

  it('show somebody who may only chat that the rest is not theirs', async () => {
    const owner = await aPerson(world.service);
    const reader = await aColleagueOf(world.service, owner);
    const { id } = await world.service.createAssistant({ name: 'Lent' }, { key: owner.key });
    const share = { key: owner.key, body: { email: reader.email } };
    await world.service.request(`/lamb/v1/assistants/${String(id)}/shares`, share);
    visitor = await signedIn(world.service, `/assistants/${String(id)}/versions`, { as: reader });
    const { page, complaints } = visitor;

    await page.getByText('Not yours to change').waitFor();
    const tabs = await page.getByRole('navigation', { name: 'This assistant' }).count();

    expect(tabs).to.equal(0);
    expect(complaints).to.deep.equal([]);
  });
});

const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
