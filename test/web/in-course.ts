import type { Frame, FrameLocator, Page } from 'playwright-core';
import { atTheEnd } from '../support/at-the-end.js';
import { theBrowser, type Visit } from '../support/browser.js';
import { uniqueName } from '../support/fakes.js';
import { type LtiPlatform, type OurTool, startLtiPlatform } from '../support/lti-platform/platform.js';
import type { Activity, ActivityTraits } from '../support/lti-platform/school.js';
import { theQuietWorld, type World } from '../support/world.js';
import { aPerson, type Person, speakingTo } from '../http/people.js';

const PASSWORD = 'a password for the course';

/** A service, the platform that launches into it, and somebody who teaches there and has an account here. */
export interface Course {
  readonly world: World;
  readonly platform: LtiPlatform;
  readonly tool: OurTool;
  readonly teacher: Person;
}

let course: Promise<Course> | undefined;

/** Started with the first suite that asks, stopped after the last one. */
export function theCourse(): Promise<Course> {
  course ??= openCourse();
  return course;
}

async function openCourse(): Promise<Course> {
  const [world, platform] = await Promise.all([theQuietWorld(), startLtiPlatform()]);
  atTheEnd(() => platform.stop());
  const teacher = await aPerson(world.service, { config: speakingTo(world.model), password: PASSWORD });
  const register = { name: 'Campus', organization_id: teacher.organizationId };
  return { world, platform, teacher, tool: await platform.addTool(world.service, { register }) };
}

export const aLink = ({ platform, tool }: Course, traits: Partial<ActivityTraits> = {}): Promise<Activity> =>
  platform.addActivity(tool, { title: uniqueName('activity'), ...traits });

export interface Seat extends Visit {
  /** Opens an activity in its course as somebody of the platform; what the tool shows there. */
  open(username: string, activity: Activity): Promise<FrameLocator>;
  /** The document of the tool. */
  framed(): Frame;
}

export interface SeatOptions {
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
  readonly locale?: string;
  readonly bypassCSP?: boolean;
}

/** A new profile in front of which people of the course sit down, and which is watched. */
export async function aSeat({ platform, world }: Course, options: SeatOptions = {}): Promise<Seat> {
  const { width = 700, theme = 'light', locale = 'en-GB', bypassCSP = false } = options;
  const context = await (
    await theBrowser()
  ).newContext({
    ...{ locale, bypassCSP, colorScheme: theme, reducedMotion: 'reduce', acceptDownloads: true },
    viewport: { width, height: 900 },
  });
  const complaints: string[] = [];
  const { origin } = new URL(world.service.url);
  const known = [origin, platform.issuer];
  context.on('console', (message) => {
    const isOurs = message.location().url.startsWith(origin);
    if (isOurs && ['error', 'warning'].includes(message.type()))
      complaints.push(`console: ${message.text()}`);
  });
  context.on('weberror', (fault) => complaints.push(`error: ${fault.error().message}`));
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (!known.includes(url.origin) && !['data:', 'blob:'].includes(url.protocol))
      complaints.push(`request: ${url.href}`);
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  return {
    ...{ page, context, complaints, close: () => context.close() },
    async open(username, activity) {
      await page.goto(platform.pageFor(username, activity));
      return page.frameLocator('#contentframe');
    },
    framed: () => toolIn(page, origin),
  };
}

function toolIn(page: Page, origin: string): Frame {
  const found = page.frames().find((frame) => frame.url().startsWith(`${origin}/lti/`));
  if (!found)
    throw new Error(
      `No frame shows the tool: ${page
        .frames()
        .map((each) => each.url())
        .join(' ')}`,
    );
  return found;
}

/** What the tool's frame is asked in words. */
export async function ask(frame: FrameLocator, question: string): Promise<void> {
  await frame.getByRole('textbox', { name: 'Your question' }).fill(question);
  await frame.getByRole('button', { name: 'Send' }).click();
}

/** Sets an activity up as its teacher would, by way of the pages. */
export async function setUp(
  seat: Seat,
  activity: Activity,
  { as, choose, policy }: Setup,
): Promise<FrameLocator> {
  const frame = await seat.open('teacher1', activity);
  await frame.getByRole('heading', { name: 'Set up this activity' }).waitFor();
  const account = frame.getByTestId('account');
  await account.getByRole('button').first().waitFor();
  if (await account.getByRole('button', { name: 'Connect your account' }).isVisible()) {
    await account.getByRole('button', { name: 'Connect your account' }).click();
    await frame.getByLabel('E-mail').fill(as.email);
    await frame.getByLabel('Password').fill(PASSWORD);
    await frame.getByRole('button', { name: 'Connect', exact: true }).click();
    await account.getByText(as.email).waitFor();
  }
  for (const name of choose) await frame.getByRole('checkbox', { name }).check();
  if (policy !== undefined) await frame.getByRole('radio', { name: policy }).check();
  await frame.getByRole('button', { name: 'Save and open for students' }).click();
  await frame.getByRole('tab', { name: 'Try it' }).waitFor();
  return frame;
}

interface Setup {
  readonly as: Person;
  /** The names of assistants. */
  readonly choose: readonly string[];
  readonly policy?: string;
}
