import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../../support/browser.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import { call, say } from '../../../support/fakes/model-script.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { upload } from '../../../http/support/file-client.js';
import { aConversation, anAssistant, aTeacher } from '../../support/chat-fixture.js';
import { keptVisit } from '../../support/kept-visit.js';
import { goTo, holdBack, signedIn, type Visitor } from '../../support/page-fixture.js';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describeInBrowser('the Chat pages, when something is in the way', function () {
  this.timeout(120_000);
  let world: TestService;
  before(async () => {
    world = await sharedQuietService();
  });
  const kept = keptVisit(async () => signedIn(world.service, '/chat', { as: await aTeacher(world) }));
  /** Of somebody of whom no other test knows. */
  let alone: Visitor | undefined;
  afterEach(async () => {
    await alone?.close();
    alone = undefined;
  });

  const ask = async (page: Page, question: string) => {
    await page.getByRole('textbox', { name: 'Your question' }).fill(question);
    await page.keyboard.press('Enter');
  };

  it('say that an assistant is gone only when it is', async () => {
    const { page, person } = kept();
    const assistant = await anAssistant(world, person, [say('Sugar.')]);
    const conversation = await aConversation(world, person, assistant);
    const gone = page.getByText('no longer available');
    const address = `**/lamb/v1/assistants/${String(assistant.id)}`;
    let giveUp = (): void => undefined;
    const tried = new Promise<void>((resolve) => {
      giveUp = resolve;
    });
    await page.route(address, async (route) => {
      await tried;
      await route.abort();
    });

    await goTo(page, `/chat/${conversation}`);
    await page.getByTestId('answer').getByText('Sugar.').waitFor();
    const beforeItIsKnown = await gone.count();
    giveUp();
    await page
      .getByRole('alert')
      .getByText(/reached/)
      .waitFor();
    const withoutAnAnswer = await gone.count();
    await page.unroute(address);
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await page.getByText(`with ${assistant.name}`).waitFor();

    expect([beforeItIsKnown, withoutAnAnswer]).to.deep.equal([0, 0]);
    expect(await page.getByRole('textbox', { name: 'Your question' }).count()).to.equal(1);
  });

  it('take the same picture twice, and leave one of them out again', async () => {
    const { page, person, complaints } = kept();
    const { id } = await anAssistant(world, person, [say('A dot.')], {
      metadata: { capabilities: { vision: true } },
    });
    await goTo(page, `/chat/new?assistant=${String(id)}`);
    const dot = { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') };

    await page.getByTestId('picture-input').setInputFiles([dot, dot]);
    await page.getByRole('img', { name: 'Picture 2' }).waitFor();
    await page.getByRole('button', { name: 'Remove picture 1' }).click();
    await page.getByRole('img', { name: 'Picture 2' }).waitFor({ state: 'detached' });

    expect(await page.getByRole('img', { name: /^Picture/ }).count()).to.equal(1);
    expect(complaints).to.deep.equal([]);
  });

  it('do not ask what was stopped before it was asked', async () => {
    const { page, person } = kept();
    const gate = uniqueName('gate');
    const { id, model } = await anAssistant(world, person, [
      say('1234', { chunks: 4, pause: { after: 2, until: gate } }),
      say('Second.'),
    ]);
    await goTo(page, `/chat/new?assistant=${String(id)}`);
    const stop = page.getByRole('button', { name: 'Stop' });

    await ask(page, 'Count');
    await page.getByTestId('answer').getByText('12').waitFor();
    await stop.click();
    await page.getByTestId('answer').getByText('Stopped.').waitFor();
    const goOn = await holdBack(page, '**/lamb/v1/conversations/*', 'GET');
    await ask(page, 'And then?');
    await stop.click();
    goOn();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await world.model.release(gate);

    expect(await world.model.ledger(model)).to.have.length(1);
    expect(await page.getByTestId('question').count()).to.equal(2);
  });

  it('lose no question that could not be asked after an answer was stopped', async () => {
    const { page, person } = kept();
    const gate = uniqueName('gate');
    const { id } = await anAssistant(world, person, [
      say('1234', { chunks: 4, pause: { after: 2, until: gate } }),
      say('Second.'),
    ]);
    await goTo(page, `/chat/new?assistant=${String(id)}`);

    await ask(page, 'Count');
    await page.getByTestId('answer').getByText('12').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByTestId('answer').getByText('Stopped.').waitFor();
    await page.route('**/lamb/v1/conversations/*', (route) => route.abort());
    await page.route('**/v1/chat/completions', (route) => route.abort());
    await ask(page, 'And then?');
    const again = page.getByTestId('answer').getByText('Try again', { exact: true });
    await again.waitFor();
    await page.unroute('**/lamb/v1/conversations/*');
    await page.unroute('**/v1/chat/completions');
    await again.click();
    await page.getByTestId('answer').getByText('Second.').waitFor();
    await world.model.release(gate);

    expect(await page.getByTestId('question').count()).to.equal(2);
    expect(await page.getByTestId('question').last().innerText()).to.include('And then?');
  });

  it('show again what is to be allowed when it could not be read at once', async () => {
    const { page, person } = kept();
    await upload(world.service, 'notes/plan.md', 'old', { key: person.key });
    const change = { line_start: 1, line_end: 1, old_content: 'old', new_content: 'new', reason: 'renewed' };
    const patch = call('patch_file', { file_path: 'plan.md', changes: [change] });
    const { id } = await anAssistant(world, person, [patch, say('Done.')], {
      tools: [{ type: 'patch_file', mode: 'function', config: { folder: 'notes' }, approval: 'ask' }],
    });
    await goTo(page, `/chat/new?assistant=${String(id)}`);
    const approval = page.getByTestId('approval');

    await page.route('**/approvals', (route) => route.abort());
    await ask(page, 'Change it');
    await approval.getByRole('alert').waitFor();
    await page.unroute('**/approvals');
    await approval.getByRole('button', { name: 'Try again' }).click();
    await approval.getByText('renewed').waitFor();

    expect(await approval.getByRole('button', { name: 'Allow', exact: true }).isEnabled()).to.equal(true);
  });

  it('offer one way to try again, and leave the keyboard where the next question is written', async () => {
    const { page, person } = kept();
    await upload(world.service, 'notes/plan.md', 'old', { key: person.key });
    const change = { line_start: 1, line_end: 1, old_content: 'old', new_content: 'new', reason: 'renewed' };
    const patch = call('patch_file', { file_path: 'plan.md', changes: [change] });
    const { id } = await anAssistant(world, person, [say('First.'), patch, say('Second.')], {
      tools: [{ type: 'patch_file', mode: 'function', config: { folder: 'notes' }, approval: 'ask' }],
    });
    await goTo(page, `/chat/new?assistant=${String(id)}`);
    const again = page.getByRole('button', { name: 'Try again' });
    const focused = () => page.evaluate<string>('document.activeElement.getAttribute("name")');

    await page.route('**/v1/chat/completions', (route) => route.abort());
    await ask(page, 'One?');
    await again.first().waitFor();
    expect(await again.count()).to.equal(1);
    await page.unroute('**/v1/chat/completions');
    await again.focus();
    await page.keyboard.press('Enter');
    await page.getByTestId('answer').getByText('First.').waitFor();
    expect(await focused()).to.equal('question');
    await page.getByRole('button', { name: 'Edit this question', disabled: false }).press('Enter');
    await page.getByRole('button', { name: 'Ask again' }).press('Enter');
    await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
    expect(await focused()).to.equal('question');
    await page.getByRole('button', { name: 'Allow', exact: true }).press('Enter');
    await page.getByTestId('answer').getByText('Second.').waitFor();
    await page.locator('[name=question]:focus').waitFor();
  });

  it('keep words that are typed before a new conversation has its id for that conversation', async () => {
    const { page, person } = kept();
    const { id } = await anAssistant(world, person, [say('First.')]);
    await goTo(page, `/chat/new?assistant=${String(id)}`);
    const field = page.getByRole('textbox', { name: 'Your question' });
    const letGo = await holdBack(page, '**/v1/chat/completions', 'POST');

    await ask(page, 'One?');
    await field.pressSequentially('And two');
    letGo();
    await page.getByTestId('answer').getByText('First.').waitFor();
    await page.reload();
    await page.getByTestId('answer').getByText('First.').waitFor();
    const typed = await field.inputValue();
    await page.getByRole('link', { name: 'New chat' }).click();
    await page.waitForURL(/\/chat\/new/);
    await page.getByTestId('answer').waitFor({ state: 'detached' });

    expect(typed).to.equal('And two');
    expect(await field.inputValue()).to.equal('');
  });

  it('say how many questions are left of a budget, and in plain words what stands in the way of an answer', async () => {
    const person = await aTeacher(world);
    const usage = { prompt_tokens: 700, completion_tokens: 300 };
    const assistant = await anAssistant(world, person, [say('Sugar.', { usage })], { repeat: true });
    const body = { scope: { type: 'user', id: person.id }, unit: 'tokens', amount: 50_000, period: 'total' };
    await world.service.request('/lamb/v1/budgets', { key: world.service.adminKey, body });
    alone = await signedIn(world.service, `/chat/new?assistant=${String(assistant.id)}`, { as: person });
    const { page } = alone;
    const left = page.getByTestId('questions-left');
    const refusedWith = async (status: number, code: string) => {
      await page.route('**/v1/chat/completions', (route) =>
        route.fulfill({
          ...{ status, contentType: 'application/json', headers: { 'retry-after': '5' } },
          json: { error: { message: 'internal words', code, type: 'x', param: 'organization' } },
        }),
      );
      await ask(page, `Is it ${code}?`);
      const alert = page.getByTestId('answer').last().getByRole('alert');
      const said = await alert.innerText();
      await page.unroute('**/v1/chat/completions');
      return said;
    };

    // A typical question, while there is none of theirs.
    await left.getByText('About 25 questions left.').waitFor();
    await ask(page, 'What is sweet?');
    await left.getByText('About 49 questions left.').waitFor();
    const words = [
      await refusedWith(429, 'budget_exceeded'),
      await refusedWith(429, 'too_many_runs'),
      await refusedWith(503, 'provider_unavailable'),
      await refusedWith(422, 'price_missing'),
    ];
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByTestId('answer').last().getByText('Sugar.').waitFor();
    const streamed = async (...frames: object[]) => {
      const stream = [...frames.map((frame) => JSON.stringify(frame)), '[DONE]'];
      await page.route('**/v1/chat/completions', (route) =>
        route.fulfill({
          contentType: 'text/event-stream',
          body: stream.map((data) => `data: ${data}\n\n`).join(''),
        }),
      );
    };
    await streamed(
      { choices: [{ delta: { content: 'Honey.' } }] },
      { x_bellwether: { type: 'run.completed', capped: 'budget' } },
    );
    await ask(page, 'What is sweeter?');
    await page.getByTestId('answer').last().getByText('The budget was nearly spent').waitFor();
    // The model's provider has had enough, which is found out when the answer is under way.
    await streamed({ error: { message: 'internal words', code: 'rate_limit_exceeded' } });
    await ask(page, 'What is sweetest?');
    words.push(await page.getByTestId('answer').last().getByRole('alert').innerText());

    for (const each of words) expect(each).to.not.include('internal');
    expect(words[0]).to.match(/set aside for them\. Try again in a moment/);
    expect(words[1]).to.match(/Many questions are being answered/);
    expect(words[2]).to.match(/model cannot be reached/);
    expect(words[3]).to.match(/No model answers for this assistant/);
    expect(words[4]).to.match(/Too many requests at once/);
  });
});
