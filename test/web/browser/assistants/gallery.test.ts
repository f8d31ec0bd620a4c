import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import { say } from '../../../support/fakes/model-script.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { configure, providers } from '../../../http/support/settings-client.js';
import { aPerson } from '../../../http/support/users-fixture.js';
import { signedIn, type Visitor } from '../../support/page-fixture.js';

const DRAFT = {
  ...{
    name: 'Dose coach',
    description: 'Practises doses.',
    system_prompt: 'You coach nurses.',
    greeting: 'Hello!',
  },
  ...{ starters: ['How much?'], tags: ['nursing'], emoji: '💊', color: 'teal', tools: ['simple_rag'] },
};

describeInBrowser('the gallery', function () {
  this.timeout(120_000);
  let world: TestService;
  let visitor: Visitor;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(() => visitor.close());

  interface Saved {
    readonly name: string;
    readonly system_prompt: string;
    readonly tools: readonly { readonly type: string; readonly enabled: boolean; readonly config: object }[];
  }
  const savedBy = async () => {
    const path = `/lamb/v1/assistants?owner=${visitor.person.email}`;
    const { json } = await world.service.request<{ data: readonly Saved[] }>(path, {
      key: visitor.person.key,
    });
    return json.data;
  };
  const open = async (path: string, config: object = {}) => {
    const person = await aPerson(world.service);
    await configure(world.service, person, config);
    visitor = await signedIn(world.service, path, { as: person });
    const { page } = visitor;
    return {
      page,
      press: (name: string) => page.getByRole('button', { name, exact: true }).click(),
      choose: (name: string) => page.getByRole('menuitem', { name, exact: true }).click(),
      follow: (name: string) => page.getByRole('link', { name, exact: true }).click(),
      titled: (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor(),
    };
  };

  it('fills the form in another language, stores nothing, and makes the rubric when the assistant is saved', async () => {
    const { page, press, follow, titled } = await open('/assistants/create');
    const rubrics = async () => {
      const { json } = await world.service.request<{ data: readonly { id: string; title: string }[] }>(
        ...(['/lamb/v1/rubrics', { key: visitor.person.key }] as const),
      );
      return json.data;
    };

    await page.getByRole('combobox', { name: 'Language of the templates' }).selectOption('eu');
    await follow('Idazlanen iruzkinak');
    await page.getByTestId('enclosed-rubric').waitFor();
    const before = [await savedBy(), await rubrics()];
    await press('Create assistant');
    await titled('Idazlanen iruzkinak');
    const [rubric] = await rubrics();
    const [made] = await savedBy();

    expect(before).to.deep.equal([[], []]);
    expect(rubric?.title).to.equal('Saiakera');
    expect(made?.tools.map(({ type, enabled, config }) => [type, enabled, config])).to.deep.equal([
      ['rubric_rag', true, { rubric_id: rubric?.id }],
    ]);
    expect(visitor.complaints).to.deep.equal([]);
  });

  it('has a model draft an assistant, which outlives a reload and is saved by nobody but its teacher', async () => {
    const model = uniqueName('drafting');
    await world.model.script(model, [say(JSON.stringify(DRAFT))]);
    const usual = { global_default_model: { provider: 'openai', model } };
    const { page, press, titled } = await open(
      '/assistants/create',
      providers({ base_url: `${world.model.url}/v1` }, usual),
    );

    await page.getByRole('textbox', { name: 'What should your assistant do, and for whom?' }).fill('Doses');
    await press('Draft it');
    await page.getByText('Drafted by a model').waitFor();
    await page.reload();
    await page.getByTestId('add-material').waitFor();
    const before = await savedBy();
    await press('Create assistant');
    await titled('Dose coach');
    const [made] = await savedBy();

    expect(before).to.deep.equal([]);
    expect(made).to.deep.include({ name: 'Dose coach', system_prompt: 'You coach nurses.' });
    expect(visitor.complaints).to.deep.equal([]);
  });

  it('shows what a teacher has saved as a template first, keeps the three kinds behind “From scratch”, and explains where no model drafts', async () => {
    const { page, press, choose, follow, titled } = await open('/assistants/create');
    await page.getByText('Ask an administrator to set one up').waitFor();
    await page.getByText('From scratch').click();
    await follow('Classic');
    await page.locator('input[name=name]').fill('Debate partner');
    await press('Create assistant');
    await titled('Debate partner');
    await follow('All assistants');
    await press('More for Debate partner');
    await choose('Save as template');
    await press('See it');
    const first = page.locator('[data-testid^=template-]').first();
    await first.getByText('Debate partner').waitFor();
    await press('More for the template Debate partner');
    await choose('Delete the template');
    await first.getByText('Socratic tutor').waitFor();

    expect(visitor.complaints).to.deep.equal([]);
  });
});
