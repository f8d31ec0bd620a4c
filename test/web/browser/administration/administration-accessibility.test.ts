import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { uniqueName } from '../../../support/fakes/fakes.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { looksInBothThemes } from '../../support/axe.js';
import { aTeacher } from '../../support/run-fixture.js';
import { goTo, signedIn, type Visitor } from '../../support/page-fixture.js';

describeInBrowser('everybody can use the pages of runs, usage and administration', function () {
  this.timeout(180_000);
  let world: TestService;
  let visitor: Visitor;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(() => visitor.close());

  it('by axe’s judgement, in both themes, on a desk and in a hand', async () => {
    const { person, ask } = await aTeacher(world, { role: 'org_admin' });
    const run = await ask();
    const organization = `/admin/organizations/${String(person.organizationId)}`;
    const platform = {
      kind: '1.1',
      name: 'Campus',
      consumer_key: uniqueName('key'),
      shared_secret: 'x'.repeat(20),
    };
    await world.service.request('/lamb/v1/lti/platforms', { key: person.key, body: platform });
    const scope = { type: 'organization', id: person.organizationId };
    const budget = await world.service.request<{ id: string }>('/lamb/v1/budgets', {
      ...{ key: person.key, body: { scope, unit: 'cost', amount: 5, period: 'day' } },
    });
    visitor = await signedIn(world.service, '/runs', { as: person });
    const { page, complaints } = visitor;
    const pages: readonly (readonly [address: string, sign: string, press?: string])[] = [
      ['/runs', '[data-testid=run]'],
      [`/runs/${run}`, '[data-testid=waterfall-line]'],
      ['/usage?measure=cost', '[data-testid=day-chart]', 'summary'],
      ['/admin', 'main h2'],
      ['/admin/users', '[data-testid=user]', 'main header button'],
      ['/admin/organizations', '[data-testid=organization]'],
      [organization, 'main section textarea'],
      [`${organization}/models`, 'main section select'],
      [`${organization}/prices`, 'main table input'],
      [`${organization}/links`, 'main section textarea'],
      [`${organization}/knowledge`, 'main section select'],
      [`${organization}/moodle`, 'main section input'],
      [`${organization}/json`, 'main textarea'],
      ['/admin/lti', '[data-testid=platform]', 'main header button'],
      ['/admin/api-keys', '[data-testid=api-key]', 'main header button'],
      ['/admin/budgets', '[data-testid=budget]', 'main header button'],
      [`/admin/budgets/${budget.json.id}`, '[data-testid=bar-list], [data-testid=spending] p'],
      ['/admin/audit', '[data-testid=audit-entry]'],
    ];

    const look = looksInBothThemes(page);
    const seen: string[] = [];
    for (const [address, sign, press] of pages) {
      await goTo(page, address);
      await page.locator(sign).first().waitFor();
      if (press !== undefined) await page.locator(press).first().click();
      seen.push(...(await look()));
    }

    expect(seen).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });
});
