import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { aPerson } from '../../../http/support/users-fixture.js';
import { keptVisit } from '../../support/kept-visit.js';
import { goTo, holdBack, signedIn } from '../../support/page-fixture.js';

describeInBrowser('the form of an assistant, between two savings', function () {
  this.timeout(120_000);
  let world: TestService;
  before(async () => {
    world = await sharedQuietService();
  });
  const kept = keptVisit(async () =>
    signedIn(world.service, '/assistants', { as: await aPerson(world.service) }),
  );

  const formOf = async (metadata: object) => {
    const { page, person } = kept();
    const { id } = await world.service.createAssistant(
      { name: 'Guide', metadata: { _format_version: 2, ...metadata } },
      { key: person.key },
    );
    await goTo(page, `/multi-tool-assistants/${String(id)}`);
    return page;
  };

  it('says no more what was refused once that is discarded', async () => {
    const page = await formOf({ tools: [] });
    const message = 'This name is taken.';
    const refusal = { error: { message, errors: [{ path: 'name', message }] } };
    await page.route('**/lamb/v1/assistants/*', (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.fulfill({ status: 422, json: refusal }),
    );

    await page.locator('[name=name]').fill('Another');
    await page.getByTestId('save').click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('All changes are saved.').waitFor();

    expect(await page.getByText(message).count()).to.equal(0);
    expect(await page.locator('[name=name]').getAttribute('aria-invalid')).to.equal(null);
  });

  it('leaves open what somebody mends in it', async () => {
    const page = await formOf({
      tools: [{ type: 'weather', mode: 'placeholder', placeholder: 'weather', config: { city: 'Vic' } }],
    });
    const placeholder = page.getByLabel('Placeholder it fills');

    await page.getByText('Names and failures').click();
    await placeholder.fill('The Weather');
    await page.getByText('small letters').first().waitFor();
    await placeholder.fill('the_weather');
    await page.getByTestId('tool-card').getByText('fills {the_weather}').waitFor();

    expect(await placeholder.isVisible()).to.equal(true);
  });

  it('leaves the further settings of a tool open on whoever mends one of them', async () => {
    const page = await formOf({ tools: [{ type: 'simple_rag', mode: 'placeholder', enabled: false }] });
    const most = page.getByLabel('Most passages');

    await page.getByLabel('Switched on').check();
    await page.getByText('More settings').click();
    await most.fill('many');
    await page.locator('[aria-invalid=true]').waitFor();
    await most.fill('3');
    await page.locator('[aria-invalid=true]').waitFor({ state: 'detached' });

    expect(await most.isVisible()).to.equal(true);
  });

  it('keeps the number that is typed into a setting', async () => {
    const page = await formOf({ tools: [{ type: 'simple_rag', mode: 'placeholder', enabled: false }] });
    const most = page.getByLabel('Most passages');

    await page.getByText('More settings').click();
    await most.pressSequentially('12');
    await page.getByTestId('save').click();
    await page.getByText('All changes are saved.').waitFor();
    await goTo(page, new URL(page.url()).pathname);
    await page.getByText('More settings').click();

    expect(await most.inputValue()).to.equal('12');
  });

  it('has tools chosen first once that is switched on, and says nothing of it once it is off again', async () => {
    const page = await formOf({ tools: [] });
    const routingSaved = async () => {
      const saving = page.waitForResponse((response) => response.request().method() === 'PUT');
      await page.getByTestId('save').click();
      const saved = (await (await saving).json()) as { readonly metadata: Record<string, unknown> };
      await page.getByText('All changes are saved.').waitFor();
      return saved.metadata['tool_routing'];
    };
    const chosenFirst = page.getByLabel('Choose tools first');
    await page.getByText('Advanced', { exact: true }).click();

    await chosenFirst.check();
    expect(await routingSaved()).to.equal('fast');
    await chosenFirst.uncheck();

    expect(await routingSaved()).to.equal(undefined);
  });

  it('does not say that it was refused to whoever saves twice', async () => {
    const page = await formOf({ tools: [] });
    const save = await holdBack(page, '**/lamb/v1/assistants/*', 'PUT');
    const said = page.getByRole('status');

    await page.locator('[name=name]').fill('Another');
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await page.keyboard.press('Control+s');
    await sent;
    await page.keyboard.press('Control+s');
    const meanwhile = await said.first().textContent();
    save();
    await page.getByText('All changes are saved.').waitFor();

    expect(meanwhile).not.to.include('not saved');
  });
});
