import type { Frame, FrameLocator, Page } from 'playwright-core';
import { visit, type Visit, type VisitOptions } from '../../support/browser.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { launch, openSession } from '../../support/lti-platform/launching.js';
import type { LtiPlatform, OurTool } from '../../support/lti-platform/platform.js';
import type { Activity, ActivityTraits } from '../../support/lti-platform/school.js';
import { sharedQuietService, type TestService } from '../../support/test-service.js';
import { aPerson, type Person, speakingTo } from '../../http/support/users-fixture.js';
import type { ActivityChange } from '../../../web/src/activities/activity.js';
import { thePlatform } from './lti-course-fixture.js';

const PASSWORD = 'a password for the course';

/** A service, the platform that launches into it, and somebody who teaches there and has an account here. */
export interface Course {
  readonly world: TestService;
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
  const [world, platform] = await Promise.all([sharedQuietService(), thePlatform()]);
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
  /** As its reader would; over when the old document is gone. */
  reloadFrame(): Promise<void>;
}

/** A profile in front of which people of the course sit down, and which is watched. */
export async function aSeat({ platform, world }: Course, options: VisitOptions = {}): Promise<Seat> {
  const visiting = await visit(world.service.url, { width: 700, host: platform.issuer, ...options });
  const { page } = visiting;
  return {
    ...visiting,
    async open(username, activity) {
      await page.goto(platform.pageFor(username, activity));
      return page.frameLocator('#contentframe');
    },
    framed: () => toolIn(page, world.service.url),
    async reloadFrame() {
      const tool = toolIn(page, world.service.url);
      const gone = page.waitForEvent('framenavigated', (frame) => frame === tool);
      await tool.evaluate('location.reload()');
      await gone;
    },
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

/** An activity that its teacher has set up, by way of the API, with these of their assistants. */
export async function aReadyActivity(
  course: Course,
  assistants: readonly { readonly id: number }[],
  change: ActivityChange = {},
): Promise<Activity> {
  const activity = await aLink(course);
  await changeActivity(course, activity, { assistant_ids: assistants.map(({ id }) => id), ...change });
  return activity;
}

export async function changeActivity(
  { platform, tool, teacher }: Course,
  activity: Activity,
  change: ActivityChange,
): Promise<void> {
  const { request } = await openSession(await launch(platform, { tool, activity, as: 'teacher1' }));
  const session = '/lamb/v1/lti/session';
  const { json } = await request<{ activity: { id: number }; account: object | null }>(session);
  if (!json.account)
    await request(`${session}/account`, { body: { email: teacher.email, password: PASSWORD } });
  const path = `/lamb/v1/lti/activities/${String(json.activity.id)}`;
  const { status, text } = await request(path, { method: 'PATCH', body: change });
  if (status !== 200) throw new Error(`The activity was not changed: ${String(status)} ${text}`);
}

/** Sets an activity up as its teacher would, by way of the pages. */
export async function setUp(seat: Seat, activity: Activity, setup: Setup): Promise<FrameLocator> {
  const frame = await seat.open('teacher1', activity);
  await setUpIn(frame, setup);
  return frame;
}

/** In the frame that shows it to its teacher. */
export async function setUpIn(frame: FrameLocator, { as, choose, policy }: Setup): Promise<void> {
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
}

interface Setup {
  readonly as: Person;
  /** The names of assistants. */
  readonly choose: readonly string[];
  readonly policy?: string;
}
