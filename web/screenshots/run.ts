import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Person } from '../../test/http/support/users-fixture.js';
import { endAll } from '../../test/support/at-the-end.js';
import type { Page } from 'playwright-core';
import { visit, type Visit } from '../../test/support/browser.js';
import { PROJECT_ROOT } from '../../test/support/child-process.js';
import { startFakeModel, startFakeWeather, type FakeModel } from '../../test/support/fakes/fakes.js';
import { calls, say } from '../../test/support/fakes/model-script.js';
import { startService, type Service } from '../../test/support/service.js';
import { signedIn } from '../../test/web/support/page-fixture.js';
import { aCollege, anotherCollege, type College } from './college.js';
import { ANSWER, BRIEF, LONG, QUESTION } from './course.js';
import { otherPages } from './every-page.js';
import * as pages from './pages.js';
import { schoolLife } from './school-life.js';

/** Makes the pictures of the pages that the documentation shows, of a service that holds a small course. */
const FOLDER = join(PROJECT_ROOT, 'docs/images');
const DESKTOP = { width: 1200, height: 800 };
const SMALL = 720;
/** What is drawn with a motion is shown as it is in the end. */
const UNTIL_STILL = `Promise.allSettled(
  document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)
    .map(({ finished }) => finished),
)`;
const USAGE = { prompt_tokens: 1240, completion_tokens: 168 };

await mkdir(FOLDER, { recursive: true });
const [model, weather] = await Promise.all([startFakeModel(), startFakeWeather()]);
const places = { WEATHER_URL: weather.url, GEOCODING_URL: weather.url };
const service = await startService({ RATE_LIMIT: '0', DEMO_DATA: 'true', ...places });
try {
  await takeAll(await aCollege(service, model));
} finally {
  await endAll();
  await service.stop();
  await Promise.all([model.stop(), weather.stop()]);
}

async function takeAll(college: College): Promise<void> {
  const { conversation, run } = await aTalk(college);
  await letCompare(model);
  const newcomer = await theFirstOne(service);
  const inText: readonly pages.PagePicture[] = [
    { name: 'sign-in', path: '/', isOutside: true, arrive: (page) => page.getByLabel('E-mail').waitFor() },
    {
      name: 'welcome',
      path: '/welcome',
      as: newcomer,
      arrive: (page) => page.getByTestId('setup-item').first().waitFor(),
    },
    ...pages.knowledgePages(college),
    ...pages.assistantPages(college),
    ...pages.chatPages(college, conversation),
    ...pages.resourcePages(college, run),
    ...pages.administratorPages(college.administrator, await anotherCollege(service)),
  ];
  const wanted = process.argv.slice(2);
  const isWanted = ({ name }: pages.PagePicture) => wanted.length === 0 || wanted.includes(name);
  for (const picture of inText.filter(isWanted))
    for (const theme of ['light', 'dark'] as const)
      await show(picture, { college, theme }, async (page) => {
        await page.screenshot({ path: join(FOLDER, `${picture.name}-${theme}.png`) });
        if (theme === 'light') await takeSmall(page, picture.name);
      });
  const life = await schoolLife(college, model);
  const others = otherPages({ college, life, operator: newcomer });
  for (const picture of others.filter(isWanted))
    await show(picture, { college, theme: 'light' }, (page) => takeSmall(page, picture.name));
}

async function show(
  picture: pages.PagePicture,
  look: { readonly college: College; readonly theme: 'light' | 'dark' },
  take: (page: Page) => Promise<unknown>,
): Promise<void> {
  const { path, size = DESKTOP, arrive = settle } = picture;
  const { page, complaints, close } = await opened(picture, look);
  await page.setViewportSize(size);
  if (path !== '') await page.goto(path);
  await arrive(page);
  await page.evaluate(UNTIL_STILL);
  await take(page);
  await close();
  if (complaints.length > 0) throw new Error(`${path}: ${complaints.join('\n')}`);
}

function opened(
  { as, isOutside = false, visit: comeIn }: pages.PagePicture,
  { college, theme }: { readonly college: College; readonly theme: 'light' | 'dark' },
): Promise<Visit> {
  if (comeIn) return comeIn();
  if (isOutside) return visit(service.url, { theme });
  return signedIn(service, '/favicon.svg', { as: as ?? college.teacher, theme });
}

async function settle(page: Page): Promise<void> {
  await page.getByRole('heading').first().waitFor();
  await page.waitForLoadState('networkidle');
}

/** For the table of all pages, in which no picture is wider than so many pixels. */
async function takeSmall(page: Page, name: string): Promise<void> {
  const { width, height } = page.viewportSize() ?? DESKTOP;
  const [x, y] = await page.evaluate<[number, number]>('[scrollX, scrollY]');
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', {
    ...{ format: 'webp', quality: 80 },
    clip: { x, y, width, height, scale: Math.min(SMALL / width, 1) },
  });
  await devtools.detach();
  await writeFile(join(FOLDER, `page-${name}.webp`), data, 'base64');
}

/** One question that needs everything the course desk has. */
async function aTalk({ teacher, assistants: { tutor, desk } }: College) {
  const functions = [
    { name: 'query_knowledge_base', arguments: { query: 'chlorophyll absorbs light' } },
    { name: `call_assistant_${String(tutor)}`, arguments: { query: 'Why are leaves green?' } },
    { name: 'read_file', arguments: {} },
  ];
  await model.script('gpt-4o-mini', [say(BRIEF, { usage: USAGE, delayMs: 900 })], { repeat: true });
  await model.script('gpt-4o', [
    calls(functions, { usage: USAGE, delayMs: 640 }),
    say(ANSWER, { usage: USAGE, delayMs: 780, chunks: 30, paceMs: 20 }),
  ]);
  const { page, close } = await signedIn(service, `/chat/new?assistant=${String(desk)}`, { as: teacher });
  await pages.ask(page, QUESTION);
  const conversation = new URL(page.url()).pathname;
  const details = await page.getByRole('link', { name: 'Details' }).getAttribute('href');
  await close();
  await service.request(`/lamb/v1/conversations/${conversation.split('/').at(-1) ?? ''}`, {
    ...{ method: 'PATCH', key: teacher.key, body: { title: 'Leaves and deadlines' } },
  });
  return { conversation, run: details?.split('/').at(-1) ?? '' };
}

async function letCompare(speaker: FakeModel): Promise<void> {
  await speaker.script('gpt-4o-mini', [say(BRIEF, { usage: USAGE, delayMs: 400 })], { repeat: true });
  await speaker.script('gpt-4o', [say(LONG, { usage: USAGE, delayMs: 700 })], { repeat: true });
}

/** Whoever has just started the service: the demonstration is theirs. */
async function theFirstOne({ request, adminKey }: Service): Promise<Person> {
  const { json } = await request<{ id: number; email: string; organization_id: number }>('/lamb/v1/me');
  const { id, email, organization_id: organizationId } = json;
  return { id, email, organizationId, key: adminKey };
}
