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
import { anAssistant, aTeacher } from '../../support/chat-fixture.js';
import { signedIn } from '../../support/page-fixture.js';

const CODE = 'def rain(n):\n    # <b>wet</b>\n    return "rain" * n';
const ANSWER = `La lluvia es agua que cae de las nubes y por eso moja.\n\n\`\`\`python\n${CODE}\n\`\`\``;
/** Voices are the system's, and none has any here: what is handed to them is what counts. */
const VOICES = `
  speechSynthesis.speak = (said) => { (window.said ??= []).push([said.lang, said.text]); setTimeout(() => said.onend?.()); };
  window.SpeechRecognition = window.webkitSpeechRecognition = class {
    start() {
      this.onresult({ resultIndex: 0, results: [Object.assign([{ transcript: 'and snow' }], { isFinal: true })] });
      this.onend();
    }
  };`;

describeInBrowser('what an answer can be used for', function () {
  this.timeout(120_000);
  let world: TestService;
  let visitor: Visit;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(() => visitor.close());

  it('its code has colours and is copied as it is, it is read aloud in its language, and the chat is saved as Markdown', async () => {
    const person = await aTeacher(world);
    const { id, name } = await anAssistant(world, person, [say(ANSWER)]);
    visitor = await signedIn(world.service, `/chat/new?assistant=${String(id)}`, { as: person });
    const { page, context, complaints } = visitor;
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
    const faults = await faultsInBothThemes(page);
    await page
      .locator('header')
      .getByRole('button', { name: /^More about/ })
      .click();
    const download = page.waitForEvent('download');
    await page.getByTestId('export-markdown').click();
    const file = await download;
    const saved = await readFile(await file.path(), 'utf8');

    expect(dictated).to.equal('Rain and snow');
    expect([code, injected, copied, whole]).to.deep.equal([CODE, 0, CODE, ANSWER]);
    expect(said).to.deep.equal([['es', 'La lluvia es agua que cae de las nubes y por eso moja.']]);
    expect(file.suggestedFilename()).to.equal('Rain and snow.md');
    expect(saved).to.equal(`# Rain and snow\n\n## You\n\n> Rain and snow\n\n## ${name}\n\n${ANSWER}\n`);
    expect(faults).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });

  it('on paper it stands alone, whole and without what can be pressed', async () => {
    const person = await aTeacher(world);
    const { id } = await anAssistant(world, person, [say(ANSWER)]);
    visitor = await signedIn(world.service, `/chat/new?assistant=${String(id)}`, { as: person });
    const { page } = visitor;

    await page.getByRole('textbox').fill('Rain?');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copy the answer' }).waitFor();
    await page.emulateMedia({ media: 'print' });
    const pressable = page.locator('button:visible, textarea:visible, nav:visible');

    await page.getByTestId('answer').getByText('La lluvia').waitFor();
    expect(await pressable.count()).to.equal(0);
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
    visitor = await visit(world.service.url);
    const { page, complaints } = visitor;
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
    const small = uniqueName('small');
    const next = { follow_ups: ['Why does it rain?', 'When will it stop?'] };
    await world.model.script(small, [say(JSON.stringify(next))], { repeat: true });
    const person = await aPerson(world.service);
    const fast = { small_fast_model: { provider: 'openai', model: small } };
    await configure(world.service, person, providers({ base_url: `${world.model.url}/v1` }, fast));
    const { id } = await anAssistant(world, person, [say('It rains.'), say('Because of clouds.')], {
      metadata: { follow_ups: true },
    });
    visitor = await signedIn(world.service, `/chat/new?assistant=${String(id)}`, { as: person });
    const { page, complaints } = visitor;
    const offered = page.getByTestId('follow-ups').getByRole('button');

    await page.getByRole('textbox').fill('Weather?');
    await page.keyboard.press('Enter');
    await offered.first().waitFor();
    const texts = await offered.allTextContents();
    const faults = await faultsInBothThemes(page);
    await offered.first().click();
    await page.getByTestId('answer').getByText('Because of clouds.').waitFor();

    expect(texts.map((text) => text.trim())).to.deep.equal(next.follow_ups);
    expect(await page.getByTestId('question').last().textContent()).to.contain('Why does it rain?');
    expect(faults).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });
});
