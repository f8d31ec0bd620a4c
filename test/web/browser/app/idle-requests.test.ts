import { expect } from 'chai';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { describeInBrowser, theBrowser } from '../../../support/browser.js';
import { aRubric } from '../../../support/rubrics.js';
import type { Service } from '../../../support/service.js';
import { sharedDemoService } from '../../../support/test-service.js';
import { aSessionOf } from '../../../http/support/users-fixture.js';
import { aCourse, type Course } from '../../support/lti-course-fixture.js';
import { CELLS, aCollection, goTo } from '../../support/page-fixture.js';

const AT_A_TIME = 6;
/** A page that has not asked for anything for so long has all it wants; it may pause so long before it asks. */
const SETTLED_MS = 400;
const PAUSE_MS = 2_000;
const LOOKED_FOR_MS = 1_000;
/** Of its own time; it takes the page no longer than the timers in it take. */
const LEFT_ALONE_MS = 60_000;
/** A page that never settles is counted all the same. */
const MOST_LOOKS = 8;

/** The tables of the browser's router, which types of the browser keep from being imported by name. */
const tables = new URL('../../../../web/src/routing/areas.ts', import.meta.url).href;

interface Route {
  readonly path: string;
  readonly isAlone?: boolean;
}

describeInBrowser('a page that is left alone', function () {
  this.timeout(120_000);
  let service: Service;
  let organizationId: number;
  let adminId: number;
  const profiles: Record<string, Promise<BrowserContext>> = {};
  let course: Promise<Course> | undefined;
  const theCourse = () => (course ??= aGradedCourse(service));
  before(async () => {
    service = await sharedDemoService();
    const { json } = await service.request<{ id: number; organization_id: number }>('/lamb/v1/me');
    ({ id: adminId, organization_id: organizationId } = json);
  });
  afterEach(async () => {
    for (const context of await Promise.all(Object.values(profiles)))
      for (const page of context.pages()) await page.close();
  });
  after(async () => {
    for (const context of await Promise.all(Object.values(profiles))) await context.close();
  });

  /** A profile whose pages keep a time that can be moved on. */
  async function aProfile(): Promise<BrowserContext> {
    const context = await (await theBrowser()).newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
    await context.clock.install();
    return context;
  }
  const seatOf = (who: 'teachers' | 'students') => (profiles[who] ??= aProfile());
  const theAdministrator = () => (profiles['administrator'] ??= signedInProfile());
  async function signedInProfile(): Promise<BrowserContext> {
    const context = await aProfile();
    const token = await aSessionOf(service, { id: adminId });
    await context.addInitScript(`sessionStorage.setItem('bellwether.session', '${token}')`);
    return context;
  }
  /** One of each kind of thing that has a page. */
  async function theExamples(): Promise<Readonly<Record<string, string>>> {
    const owner = { id: adminId, email: '', organizationId, key: service.adminKey };
    const { id: collection, documentIds } = await aCollection(service, owner, [CELLS]);
    const { json } = await service.request<{ data: { id: number }[] }>('/lamb/v1/assistants');
    const assistant = json.data[0]?.id ?? 0;
    const messages = [{ role: 'user', content: 'What is a cell?' }];
    const { headers } = await service.chat(assistant, { messages, conversation_id: 'new' });
    const conversation = headers.get('x-conversation-id') ?? '';
    const { id: rubric } = await aRubric(service);
    const budget = {
      scope: { type: 'assistant', id: assistant },
      unit: 'tokens',
      amount: 1e9,
      period: 'month',
    };
    const set = await service.request<{ id: string }>('/lamb/v1/budgets', { body: budget });
    return {
      budget: set.json.id,
      ...{ collection, document: documentIds[0] ?? '', conversation, rubric },
      ...{ id: String(assistant), assistant: String(assistant) },
      ...{ run: headers.get('x-run-id') ?? '', organization: String(organizationId) },
    };
  }

  it('has asked the service for each thing once and asks for nothing more, whichever page it is', async () => {
    const { ROUTES } = (await import(tables)) as { ROUTES: readonly Route[] };
    const examples = await theExamples();
    const heard: Record<string, readonly string[]> = {};
    const doubled: Record<string, readonly string[]> = {};

    const left = [
      ...ROUTES.map(({ path, isAlone = false }) => ({ address: filledIn(path, examples), isAlone })),
      { address: `/chat/new?assistant=${examples['assistant'] ?? ''}`, isAlone: false },
    ];
    const context = await theAdministrator();
    const seats = await Promise.all(
      Array.from({ length: AT_A_TIME }, async () => {
        const page = await context.newPage();
        const { all } = countedIn(page, service.url);
        await page.goto(`${service.url}/nowhere`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        return { page, atFirst: [...all] };
      }),
    );

    // Neighbours one after another on the same page: they are made of the same code.
    const turns = Math.ceil(left.length / AT_A_TIME);
    for (let turn = 0; turn < turns; turn += 1) {
      const some = left.filter((_, at) => at % turns === turn);
      const watched = await Promise.all(
        some.map(async ({ address, isAlone }, i) => {
          const { page } = seats[i]!;
          const asked = countedIn(page, service.url);
          // What stands alone is not gone to from within.
          await (isAlone ? page.goto(service.url + address) : goTo(page, address));
          await page.getByRole('heading', { level: 1 }).waitFor();
          return { page, asked };
        }),
      );
      const later = await whileAllAreLeftAlone(context, watched);
      for (const [i, { address, isAlone }] of some.entries()) {
        // As if everything had been loaded for this page: what was asked for around it is its own, too.
        const all = [...(isAlone ? [] : seats[i]!.atFirst), ...watched[i]!.asked.all];
        heard[address] = later[i]!;
        doubled[address] = all.filter((each, at) => all.indexOf(each) < at);
      }
    }

    expect(noisyIn(heard)).to.deep.equal({});
    expect(noisyIn(doubled), 'asked for twice').to.deep.equal({});
  });

  it('asks for nothing more in a course either, in any part of it, for teachers and for students', async () => {
    const course = await theCourse();
    const heard: Record<string, readonly string[]> = {};

    const visitAs = async (who: 'teachers' | 'students', username: string) => {
      const page = await opened(await seatOf(who), course, username);
      const asked = countedIn(page, service.url);
      await page.getByRole('tab').first().waitFor();
      for (const tab of await page.getByRole('tab').all()) {
        await tab.click();
        heard[`${username}: ${(await tab.textContent()) ?? ''}`] = await whileLeftAlone(page, asked);
      }
    };
    await Promise.all([visitAs('teachers', 'teacher1'), visitAs('students', 'student1')]);
    const page = await (await seatOf('teachers')).newPage();
    const asked = countedIn(page, service.url);
    await page.goto(course.platform.pageFor('teacher1'));
    // Suites share the platform: its page offers the tools of all.
    await page.locator(`[data-choose$="id=${String(course.tool.id)}"]`).click();
    await page.frameLocator('#choiceframe').getByRole('heading').first().waitFor();
    heard['choosing'] = await whileLeftAlone(page, asked);

    expect(Object.keys(heard)).to.include.members(['teacher1: Grades', 'student1: Hand in']);
    expect(noisyIn(heard)).to.deep.equal({});
  });

  it('looks for a decision that is to come, and no longer once nothing more can come of it', async () => {
    const page = await opened(await seatOf('students'), await theCourse(), 'student2');
    const handedIn = {
      ...{ id: 'a', activity_id: 1, version: 1, text: 'Rome fell.', status: 'proposed' },
      ...{ created_at: new Date().toISOString(), updated_at: new Date().toISOString() },
      posting: { state: 'none', attempts: 0, last_error: null, posted_at: null },
    };
    let looks = 0;
    await page.getByRole('tab').first().waitFor();
    await page.route('**/submissions*', (route) => {
      looks += 1;
      return route.fulfill({ json: { data: [handedIn], next_cursor: null } });
    });
    const asked = countedIn(page, service.url);

    await page.getByRole('tab', { name: 'Hand in' }).click();
    await page.getByText('Rome fell.').waitFor({ state: 'attached' });
    Object.assign(handedIn, { status: 'approved', posting: { ...handedIn.posting, state: 'impossible' } });
    await Promise.all([page.waitForResponse('**/submissions*'), page.clock.fastForward(11_000)]);

    expect(await whileLeftAlone(page, asked)).to.deep.equal([]);
    expect(looks).to.equal(2);
  });

  it('looks again while a document is being read, and no longer once it is ready', async () => {
    const owner = { id: adminId, email: '', organizationId, key: service.adminKey };
    const { id } = await aCollection(service, owner, [CELLS]);
    const context = await theAdministrator();
    const page = await context.newPage();
    let status = 'processing';
    let looks = 0;
    await page.route(`**/lamb/v1/collections/${id}/documents?*`, async (route) => {
      looks += 1;
      const { data, ...rest } = (await (await route.fetch()).json()) as { data: object[] };
      const by_status = { queued: 0, processing: 0, ready: 0, failed: 0, [status]: data.length };
      await route.fulfill({ json: { ...rest, by_status, data: data.map((each) => ({ ...each, status })) } });
    });
    const asked = countedIn(page, service.url);

    await page.goto(`${service.url}/knowledge/${id}`);
    await page.locator('[data-status=processing]').waitFor();
    const first = looks;
    const nextLook = () => page.waitForResponse((response) => response.url().includes('/documents?'));
    await Promise.all([nextLook(), page.clock.fastForward(2_000)]);
    await Promise.all([nextLook(), page.clock.fastForward(2_000)]);
    const seen = looks;
    status = 'ready';
    await Promise.all([nextLook(), page.clock.fastForward(2_000)]);
    await page.locator('[data-status=ready]').waitFor();

    expect(first).to.equal(1);
    expect(seen).to.be.within(3, 5);
    expect(await whileLeftAlone(page, asked)).to.deep.equal([]);
  });
});

/** The address of a page with things that are there; one that nobody has an example for is not passed over. */
function filledIn(path: string, examples: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const example = examples[name];
    if (example === undefined || example === '') throw new Error(`${path} wants an example of :${name}`);
    return example;
  });
}

interface Asked {
  /** What was asked for so far, oldest first. */
  readonly all: string[];
  readonly underWay: Set<Request>;
}

function countedIn(page: Page, url: string): Asked {
  const asked: Asked = { all: [], underWay: new Set() };
  page.removeAllListeners();
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) return;
    asked.all.push(`${request.method()} ${request.url().slice(url.length)}`);
    asked.underWay.add(request);
  });
  const ended = (request: Request) => asked.underWay.delete(request);
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  return asked;
}

interface Watched {
  readonly page: Page;
  readonly asked: Asked;
}

const pass = (page: Page, ms: number) =>
  page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${String(ms)}))`);

async function settled(context: BrowserContext, watched: readonly Watched[]): Promise<void> {
  let before: readonly number[] = [];
  const areAsBefore = () => watched.every(({ asked }, i) => before[i] === asked.all.length);
  for (let looks = 0; looks < MOST_LOOKS && !areAsBefore(); looks += 1) {
    before = watched.map(({ asked }) => (asked.underWay.size > 0 ? -1 : asked.all.length));
    await context.clock.fastForward(PAUSE_MS);
    await pass(watched[0]!.page, SETTLED_MS);
  }
}

const FOLDED = 'details:not([open]) > summary';
const UNFOLD = `[...document.querySelectorAll('${FOLDED}')].map((each) => each.click()).length`;

/**
 * What each of some pages asks for within a minute in which nobody does anything, after all of them have got all that
 * they want. They are of one profile, and so share its time.
 */
async function whileAllAreLeftAlone(
  context: BrowserContext,
  watched: readonly Watched[],
): Promise<readonly (readonly string[])[]> {
  await settled(context, watched);
  const unfolded = await Promise.all(watched.map(({ page }) => page.evaluate<number>(UNFOLD)));
  if (unfolded.some((count) => count > 0)) await settled(context, watched);
  const before = watched.map(({ asked }) => asked.all.length);
  await context.clock.fastForward(LEFT_ALONE_MS);
  await pass(watched[0]!.page, LOOKED_FOR_MS);
  return watched.map(({ asked }, i) => asked.all.slice(before[i]));
}

async function whileLeftAlone(page: Page, asked: Asked): Promise<readonly string[]> {
  const [later = []] = await whileAllAreLeftAlone(page.context(), [{ page, asked }]);
  return later;
}

/** Those that were not silent, and how often they asked for what. */
function noisyIn(heard: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  const noisy = Object.entries(heard).filter(([, asked]) => asked.length > 0);
  return Object.fromEntries(
    noisy.map(([where, asked]) => [where, `${String(asked.length)} × ${[...new Set(asked)].join(', ')}`]),
  );
}

/** A course in which texts can be handed in. */
async function aGradedCourse(service: Service): Promise<Course> {
  const { id: rubric_id } = await aRubric(service);
  const tools = [{ type: 'rubric_eval', enabled: true, mode: 'function', config: { rubric_id } }];
  const assistant = await service.createAssistant({ metadata: { _format_version: 2, tools } });
  return aCourse({ service }, assistant, { evaluation: { assistant_id: assistant.id } });
}

async function opened(context: BrowserContext, course: Course, username: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(course.platform.pageFor(username, course.tool.activity));
  const [tool] = await Promise.all([context.waitForEvent('page'), page.locator('#openwindow').click()]);
  return tool;
}
