import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { describeInBrowser, visit, type Visit } from '../../../support/browser.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import { say } from '../../../support/fakes/model-script.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { aLinkedAssistant } from '../../../http/support/link-fixture.js';
import { configure, providers } from '../../../http/support/settings-client.js';
import { aPerson } from '../../../http/support/users-fixture.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { anAssistant } from '../../support/chat-fixture.js';
import { keptVisit } from '../../support/kept-visit.js';
import { goTo, signedIn } from '../../support/page-fixture.js';

const CODE = 'def rain(n):\n    # <b>wet</b>\n    return "rain" * n';
const ANSWER = `La lluvia es agua que cae de las nubes y por eso moja.\n\n\`\`\`python\n${CODE}\n\`\`\``;
const NEXT = { follow_ups: ['Why does it rain?', 'When will it stop?'] };
/** Voices are the system's, and none has any here: what is handed to them is what counts. */
const VOICES = `
  speechSynthesis.speak = (said) => { (window.said ??= []).push([said.lang, said.text]); setTimeout(() => said.onend?.()); };
  window.SpeechRecognition = window.webkitSpeechRecognition = class {
    start() {
      this.onresult({ resultIndex: 0, results: [Object.assign([{ transcript: 'and snow' }], { isFinal: true })] });
      this.onend();
    }
    stop() {}
  };`;

describeInBrowser('what an answer can be used for', function () {
  this.timeout(120_000);
  let world: TestService;
  let guest: Visit | undefined;
  before(async () => {
    world = await sharedQuietService();
  });
  /** Of somebody whose organisation has a small model, which thinks of what could be asked next. */
  const kept = keptVisit(async () => {
    const small = uniqueName('small');
    await world.model.script(small, [say(JSON.stringify(NEXT))], { repeat: true });
    const as = await aPerson(world.service);
    const fast = { small_fast_model: { provider: 'openai', model: small } };
    await configure(world.service, as, providers({ base_url: `${world.model.url}/v1` }, fast));
    return signedIn(world.service, '/chat', { as });
  });
  afterEach(async () => {
    await guest?.close();
    guest = undefined;
  });

  it('its code has colours and is copied as it is, it is read aloud in its language, the chat is saved as Markdown, and on paper it stands alone', async () => {
    const { page, context, person, complaints } = kept();
    const { id, name } = await anAssistant(world, person, [say(ANSWER)], { metadata: { follow_ups: true } });
    await goTo(page, `/chat/new?assistant=${String(id)}`);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);

    await page.evaluate(VOICES);
    await page.getByRole('textbox').fill('Rain');
    await page.getByRole('button', { name: 'Dictate' }).click();
    const dictated = await page.getByRole('textbox').inputValue();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.hljs-keyword').first().waitFor();
    const code = await page.locator('pre code').textContent();
    const injected = await page.locator('pre code b').count();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    await page.getByRole('button', { name: 'Copy the answer' }).click();
    await page.getByTestId('toast').waitFor();
    const whole = await page.evaluate('navigator.clipboard.readText()');
    await page.getByRole('button', { name: 'Read aloud' }).click();
    await page.waitForFunction('window.said?.length > 0');
    const said = await page.evaluate('window.said');
    await page.getByTestId('follow-ups').getByRole('button').first().waitFor();
    const faults = await faultsInBothThemes(page);
    await page
      .locator('header')
      .getByRole('button', { name: /^More about/ })
      .click();
    const download = page.waitForEvent('download');
    await page.getByTestId('export-markdown').click();
    const file = await download;
    const saved = await readFile(await file.path(), 'utf8');
    await page.emulateMedia({ media: 'print' });
    const pressable = page.locator('button:visible, textarea:visible, nav:visible');
    await page.getByTestId('answer').getByText('La lluvia').waitFor();

    expect(await pressable.count(), 'what can be pressed on paper').to.equal(0);
    expect(dictated).to.equal('Rain and snow');
    expect([code, injected, copied, whole]).to.deep.equal([CODE, 0, CODE, ANSWER]);
    expect(said).to.deep.equal([['es', 'La lluvia es agua que cae de las nubes y por eso moja.']]);
    expect(file.suggestedFilename()).to.equal('Rain and snow.md');
    expect(saved).to.equal(`# Rain and snow\n\n## You\n\n> Rain and snow\n\n## ${name}\n\n${ANSWER}\n`);
    expect(faults).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });

  it('whoever came by a link is offered all of it as well', async () => {
    const small = uniqueName('small');
    await world.model.script(small, [say(JSON.stringify({ follow_ups: ['Why?'] }))], { repeat: true });
    const linked = await aLinkedAssistant(world, { follow_ups: true, steps: [say('It rains.')] });
    const fast = { small_fast_model: { provider: 'openai', model: small } };
    const features = { public_links: true };
    await configure(world.service, linked.teacher, {
      ...providers({ base_url: `${world.model.url}/v1` }, fast),
      ...{ features },
    });
    const { url } = await linked.link();
    guest = await visit(world.service.url);
    const { page, complaints } = guest;
    await page.goto(url);

    await page.getByRole('textbox').fill('Weather?');
    await page.keyboard.press('Enter');
    await page.getByTestId('follow-ups').getByRole('button', { name: 'Why?' }).click();
    await page.getByTestId('answer').nth(1).getByText('It rains.').waitFor();
    await page.locator('header').getByRole('button').last().click();
    const download = page.waitForEvent('download');
    await page.getByTestId('export-markdown').click();
    const saved = await readFile(await (await download).path(), 'utf8');
    await page.emulateMedia({ media: 'print' });
    const pressable = page.locator('button:visible, textarea:visible, nav:visible');

    expect(saved).to.contain('> Weather?').and.to.contain('> Why?').and.to.contain(linked.assistant.name);
    await page.getByTestId('answer').last().getByText('It rains.').waitFor();
    expect(await pressable.count()).to.equal(0);
    expect(complaints).to.deep.equal([]);
  });

  it('what could be asked next stands below it, where the assistant offers that, and is asked by a click', async () => {
    const { page, person, complaints } = kept();
    const { id } = await anAssistant(world, person, [say('It rains.'), say('Because of clouds.')], {
      metadata: { follow_ups: true },
    });
    await goTo(page, `/chat/new?assistant=${String(id)}`);
    const offered = page.getByTestId('follow-ups').getByRole('button');

    await page.getByRole('textbox').fill('Weather?');
    await page.keyboard.press('Enter');
    await offered.first().waitFor();
    const texts = await offered.allTextContents();
    await offered.first().click();
    await page.getByTestId('answer').getByText('Because of clouds.').waitFor();

    expect(texts.map((text) => text.trim())).to.deep.equal(NEXT.follow_ups);
    expect(await page.getByTestId('question').last().textContent()).to.contain('Why does it rain?');
    expect(complaints).to.deep.equal([]);
  });
});
