import { expect } from 'chai';
import type { Role } from '../../../../src/core/access/caller.js';
import { aColleagueOf, aPerson } from '../../../http/support/users-fixture.js';
import { aLearningPlatform, anActivity, aVisitor } from '../../../support/launched.js';
import { describeInBrowser } from '../../../support/browser.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import { sharedService, type TestService } from '../../../support/test-service.js';
import { faultsInBothThemes } from '../../support/axe.js';
import { goTo, signedIn, type Visitor } from '../../support/page-fixture.js';

describeInBrowser('the page of activities', function () {
  this.timeout(120_000);

  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  /** An organisation with an administrator, an assistant of theirs and a link in a course. */
  async function anOrganisation(role: Role = 'org_admin') {
    const { service } = world;
    const person = await aPerson(service, { role });
    const [first, second] = await Promise.all(
      ['first', 'second'].map((name) => service.createAssistant({ name: uniqueName(name) }, person)),
    );
    const platform = await aLearningPlatform(service, person);
    const title = uniqueName('Essay help');
    const link = { id: uniqueName('link'), title };
    const activity = await anActivity(
      service,
      platform,
      { assistants: [{ assistantId: first!.id, addedBy: person.id }] },
      { link },
    );
    return { person, platform, activity, title, first: first!, second: second! };
  }

  describe('in front of an administrator', () => {
    let mine: Awaited<ReturnType<typeof anOrganisation>>;
    let visitor: Visitor;
    before(async () => {
      mine = await anOrganisation();
      visitor = await signedIn(world.service, '/admin/activities', { as: mine.person });
    });
    beforeEach(() => goTo(visitor.page, '/admin/activities'));
    after(() => visitor.close());

    it('shows what is behind the links of their organisation, and finds one by its title', async () => {
      const theirs = await anOrganisation();
      const { page } = visitor;

      await page.getByTestId('activity').waitFor();
      const table = await page.getByRole('table', { name: 'Activities' }).innerText();
      expect(table).to.contain(mine.title).and.to.contain('Biology 101').and.to.contain(mine.first.name);
      expect(table).to.contain('180 days').and.to.contain('Nobody');
      expect(table).not.to.contain(theirs.title);
      expect(await faultsInBothThemes(page)).to.deep.equal([]);

      await page.getByLabel('Search by title or course').fill('unheard of');
      await page.getByText('No activity is called like this.').waitFor();
    });

    it('forgets what somebody changed and did not save', async () => {
      const { page } = visitor;
      const edit = page.getByRole('button', { name: `Edit ${mine.title}` });
      const dialog = page.getByRole('dialog');

      await edit.click();
      await dialog.getByLabel('Erase after (days)').fill('30');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await edit.click();
      expect(await dialog.getByLabel('Erase after (days)').inputValue()).to.equal('180');
    });

    it('offers the newest version to stay with', async () => {
      const { person, title, first } = mine;
      const path = `/lamb/v1/assistants/${String(first.id)}`;
      const body = { name: first.name, version: 1, description: 'Changed.' };
      const { status } = await world.service.request(path, { method: 'PUT', key: person.key, body });
      expect(status).to.equal(200);
      const { page } = visitor;
      const dialog = page.getByRole('dialog');

      await page.getByRole('button', { name: `Edit ${title}` }).click();
      await dialog.getByRole('radio', { name: 'Stay with one version' }).check();
      await dialog.getByText('The newest is 2.').waitFor();
      await dialog.getByRole('radio', { name: 'Always the newest' }).check();
      await dialog.getByRole('radio', { name: 'Stay with one version' }).check();
      expect(await dialog.getByLabel('Number of the version').inputValue()).to.equal('2');
    });

    it('lets them change what an activity holds and how it treats what is written', async () => {
      const { person, activity, title, second } = mine;
      const { page } = visitor;

      await page.getByRole('button', { name: `Edit ${title}` }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('searchbox').fill(second.name);
      await dialog.getByRole('searchbox').press('Enter');
      await dialog.getByRole('checkbox', { name: second.name }).check();
      await dialog.getByRole('radio', { name: 'You, without names' }).check();
      await dialog.getByLabel('Erase after (days)').fill('30');
      expect(await faultsInBothThemes(page)).to.deep.equal([]);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'hidden' });

      const row = page.getByRole('row', { name: title });
      await row.getByText('30 days').waitFor();
      expect(await row.innerText())
        .to.contain(second.name)
        .and.to.contain('You, without names');
      const { json } = await world.service.request<Record<string, unknown>>(
        `/lamb/v1/lti/activities/${String(activity.id)}`,
        { key: person.key },
      );
      expect(json).to.include({ retention_days: 30, transcript_policy: 'pseudonymous' });
    });

    it('has usage by activity beside it, on the page of usage', async () => {
      const { platform, activity, title, first } = mine;
      const { service } = world;
      const student = await aVisitor(service, platform, { activity });
      const messages = [{ role: 'user', content: 'Hello?' }];
      await service.chat(first.id, { messages }, { key: student.key });
      const { page } = visitor;
      await goTo(page, '/usage');

      await page.getByRole('heading', { name: 'Per activity' }).waitFor();
      await page.getByRole('listitem').getByText(title).first().waitFor();
      expect(await faultsInBothThemes(page)).to.deep.equal([]);
    });
  });

  it('shows a creator the activities that hold what they placed, and nobody else’s', async () => {
    const { person, title } = await anOrganisation('creator');
    const colleague = await aColleagueOf(world.service, person);
    const mine = await signedIn(world.service, '/admin/activities', { as: person });
    const theirs = await signedIn(world.service, '/admin/activities', { as: colleague });

    await mine.page.getByTestId('activity').getByText(title).waitFor();
    await theirs.page.getByText('No activities yet').waitFor();
    expect([...mine.complaints, ...theirs.complaints]).to.deep.equal([]);
    await Promise.all([mine.close(), theirs.close()]);
  });
});
