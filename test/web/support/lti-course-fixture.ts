import type { ActivityChange } from '../../../web/src/activities/activity.js';
import { publish } from '../../http/support/users-fixture.js';
import { atTheEnd } from '../../support/at-the-end.js';
import { visit, type Visit } from '../../support/browser.js';
import { launch, type LaunchApi, type Launched, openSession } from '../../support/lti-platform/launching.js';
import { type LtiPlatform, type OurTool, startLtiPlatform } from '../../support/lti-platform/platform.js';
import type { AssistantRecord } from '../../support/service.js';
import type { TestService } from '../../support/test-service.js';

/** An activity in a course of a platform, into which people come by real launches. */
export interface Course {
  readonly platform: LtiPlatform;
  readonly tool: OurTool;
  /** What the service calls the activity. */
  readonly activityId: number;
  /** As a page has it that they launched. */
  join(username: string): Promise<LaunchApi>;
  /** They ask once each, in a conversation of their own. */
  ask(usernames: readonly string[], question: string): Promise<void>;
  change(change: ActivityChange): Promise<void>;
  /** In a browser; `deep_link` to choose what a new activity opens. */
  visit(username: string, activity?: 'deep_link'): Promise<CourseVisit>;
}

export interface CourseVisit extends Visit {
  /** Goes to a part of the activity. */
  to(tab: string): Promise<void>;
}

const COOKIE = '__Host-bellwether-lti';

let platform: Promise<LtiPlatform> | undefined;

/** Started with the first suite that asks, stopped after the last one. */
export function thePlatform(): Promise<LtiPlatform> {
  if (!platform) {
    const started = startLtiPlatform();
    atTheEnd(async () => (await started).stop());
    platform = started;
  }
  return platform;
}

/** With this assistant in it; what else is to be set up is in `change`. */
export async function aCourse(
  { service }: Pick<TestService, 'service'>,
  assistant: AssistantRecord,
  change: ActivityChange,
): Promise<Course> {
  const at = await thePlatform();
  const tool = await at.addTool(service, { container: 'window' });
  const owner = (await service.request<{ id: number; email: string; organization_id: number }>('/lamb/v1/me'))
    .json;
  await publish(service, assistant.id, 'everyone', {
    ...{ id: owner.id, email: owner.email, organizationId: owner.organization_id, key: '' },
  });
  const join = async (as: string) => openSession(await launch(at, { tool, as }));
  const teacher = await join('teacher1');
  const { json } = await teacher.request<{ activity: { id: number } }>('/lamb/v1/lti/session');
  const activityId = json.activity.id;
  const changed = async (body: ActivityChange) => {
    const path = `/lamb/v1/lti/activities/${String(activityId)}`;
    const { status, text } = await teacher.request(path, { method: 'PATCH', body });
    if (status !== 200) throw new Error(`The activity was not set up: ${String(status)} ${text}`);
  };
  await changed({ assistant_ids: [assistant.id], ...change });
  return {
    ...{ platform: at, tool, activityId, join },
    change: changed,
    async ask(usernames, question) {
      for (const username of usernames) {
        const messages = [{ role: 'user', content: question }];
        const student = await join(username);
        await student.chat(assistant.id, { messages, conversation_id: 'new' });
      }
    },
    visit: async (as, activity) => visitAfter(await launch(at, { tool, as, ...(activity && { activity }) })),
  };
}

/** In the window that a launch ends in, as the browser has it that went through the launch. */
async function visitAfter({ jar, location = '', tool }: Launched): Promise<CourseVisit> {
  const { url } = tool.service;
  const visiting = await visit(url);
  const { context, page } = visiting;
  const given = { path: '/', secure: true, httpOnly: true, sameSite: 'None' } as const;
  const { hostname: domain } = new URL(url);
  await context.addCookies([{ name: COOKIE, value: jar.get(COOKIE) ?? '', domain, ...given }]);
  await page.goto(location);
  return { ...visiting, to: (tab) => page.getByRole('tab', { name: tab, exact: true }).click() };
}
