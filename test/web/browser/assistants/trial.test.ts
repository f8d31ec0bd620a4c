import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { call, say } from '../../../support/fakes/model-script.js';
import { sharedQuietService, type TestService, weatherFunction } from '../../../support/test-service.js';
import { axeFaults, faultsInBothThemes } from '../../support/axe.js';
import { anAssistant, aTeacher } from '../../support/chat-fixture.js';
import { keptVisit } from '../../support/kept-visit.js';
import { goTo, signedIn } from '../../support/page-fixture.js';

describeInBrowser('the chat beside the form of an assistant', function () {
  this.timeout(120_000);
  let world: TestService;
  before(async () => {
    world = await sharedQuietService();
  });
  const kept = keptVisit(async () => signedIn(world.service, '/assistants', { as: await aTeacher(world) }));

  it('answers what is not saved, with its steps; after a change it says so, and asks the same again', async () => {
    const { page, person, complaints } = kept();
    const { id, model } = await anAssistant(
      world,
      person,
      [
        call('get_weather', { city: 'Bilbao' }),
        say('Rain in Bilbao.'),
        say('It rains, my friend.'),
        say('Both.'),
      ],
      {
        ...{ tools: [weatherFunction], system_prompt: 'Be brief.' },
        ...{ greeting: 'Hello from me!', starters: ['Will it rain?'] },
      },
    );
    await goTo(page, `/multi-tool-assistants/${String(id)}`);
    const trial = page.getByTestId('trial');

    await trial.getByText('Hello from me!').waitFor();
    const focused = await page.evaluate<string>('document.activeElement.localName');
    await trial.getByRole('button', { name: 'Will it rain?' }).click();
    await trial.getByText('Rain in Bilbao.').waitFor();
    await trial.getByText('1 step').waitFor();
    // In a hand it is seen in the next test; there the form would be looked at again.
    const faults = await axeFaults(page.mainFrame());
    await page.getByLabel('System prompt').fill('Be warm.');
    await trial.getByText('From before your change').waitFor();
    await page.getByTestId('trial-outdated').getByRole('button', { name: 'Ask again' }).click();
    await trial.getByText('It rains, my friend.').waitFor();
    const marked = await trial.getByText('From before your change').count();
    await trial.getByRole('textbox', { name: 'Your question' }).fill('And both?');
    await page.keyboard.press('Enter');
    await trial.getByText('Both.').waitFor();
    const asked = (await world.model.ledger(model)).map(({ body }) => body.messages);
    await trial.getByRole('button', { name: 'Clear' }).click();
    await trial.getByRole('button', { name: 'Will it rain?' }).waitFor();
    const stored = await world.service.request<{ data: unknown[] }>('/lamb/v1/conversations', person);
    const saved = await world.service.request<{ system_prompt: string }>(
      `/lamb/v1/assistants/${String(id)}`,
      person,
    );

    expect(focused).not.to.equal('textarea');
    expect(faults).to.deep.equal([]);
    expect(marked).to.equal(0);
    expect(asked.map(([first]) => String(first?.content).split('\n')[0])).to.deep.equal([
      ...['Be brief.', 'Be brief.', 'Be warm.', 'Be warm.'],
    ]);
    // The answer that was asked for again is not a part of what was said.
    expect(asked.at(-1)?.map(({ role }) => role)).to.deep.equal(['system', 'user', 'assistant', 'user']);
    expect(stored.json.data).to.deep.equal([]);
    expect(saved.json.system_prompt).to.equal('Be brief.');
    expect(complaints).to.deep.equal([]);
  });

  it('says where it would be what is missing, leads there, and in a hand is one of three parts of the page', async () => {
    const { page, complaints } = kept();
    await goTo(page, '/multi-tool-assistants/create?type=multi_tool');
    const trial = page.getByTestId('trial');

    await trial.getByRole('textbox').waitFor();
    await page.getByTestId('add-tool-btn').click();
    await page.getByTestId('tool-option-simple_rag').click();
    await trial.getByText('Before you can ask it, fill in:').waitFor();
    const named = await trial.getByRole('listitem').allTextContents();
    await page.setViewportSize({ width: 380, height: 800 });
    // The page hears of its width a moment later.
    await page.getByRole('tab', { name: 'Test chat' }).waitFor();
    const before = await trial.isVisible();
    await page.getByRole('tab', { name: 'Test chat' }).click();
    const hidden = await page.getByTestId('tools-manager').isVisible();
    const faults = await faultsInBothThemes(page);
    await page.setViewportSize({ width: 380, height: 800 });
    await trial.getByRole('button', { name: 'Show me' }).click();
    await page.getByTestId('tool-card').locator('.error').first().waitFor();

    expect(named).to.deep.equal(['Knowledge']);
    expect([before, hidden]).to.deep.equal([false, false]);
    expect(faults).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });

  it('stands beside a calm form: what most need not look into is folded, tells what is in it, and stays as it was left', async () => {
    const { page, person, complaints } = kept();
    const { id, name } = await anAssistant(world, person, [], { greeting: 'Hi!', starters: ['A?', 'B?'] });
    await goTo(page, `/multi-tool-assistants/${String(id)}`);
    const part = (of: string) => page.locator(`details[data-part=${of}]`);
    const isOpen = async (of: string) => (await part(of).getAttribute('open')) !== null;

    await part('face').waitFor();
    const order = await page.locator('.form h2').allTextContents();
    const folded = await Promise.all(['template', 'face', 'model', 'advanced'].map(isOpen));
    const gist = await part('face').getByTestId('gist').textContent();
    await part('face').locator('summary').click();
    await page.reload();
    await part('face').waitFor();
    const after = await Promise.all(['template', 'face', 'model', 'advanced'].map(isOpen));
    await part('template').locator('summary').click();
    await page.locator('[name=prompt_template]').fill('{nobody} {user_input}');
    await part('template').locator('summary').click();
    await goTo(page, `/multi-tool-assistants/${String(id)}`);
    await page.getByTestId('template-fault').first().waitFor();

    expect(order).to.deep.equal([
      ...['About', 'Instructions', 'Tools', 'How it teaches', 'Prompt template', 'How it appears', 'Model'],
      'Advanced',
    ]);
    expect(folded).to.deep.equal([false, false, false, false]);
    expect(gist).to.equal('Greeting · 2 starter questions');
    expect(after).to.deep.equal([false, true, false, false]);
    expect(name).not.to.equal('');
    expect(complaints).to.deep.equal([]);
  });
});
