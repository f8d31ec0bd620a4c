import type { Page } from 'playwright-core';
import type { Person } from '../../test/http/support/users-fixture.js';
import type { College } from './college.js';
import type { PagePicture } from './pages.js';
import type { SchoolLife } from './school-life.js';

interface Seen {
  readonly college: College;
  readonly life: SchoolLife;
  /** Looks after the whole installation. */
  readonly operator: Person;
}

/** The pages that stand in no text: only in the table that has them all. */
export const otherPages = (seen: Seen): readonly PagePicture[] => [
  ...comingIn(seen),
  ...ofAssistants(seen),
  ...ofMaterial(seen),
  ...ofAdministration(seen),
  ...inCourses(seen),
];

const TALL = { width: 1200, height: 1300 };

async function goNowhere(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate(
    "history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))",
  );
  await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
}

const comingIn = ({ life }: Seen): readonly PagePicture[] => [
  { name: 'invitation', path: life.invitation, isOutside: true },
  { name: 'link', path: life.link, isOutside: true },
  { name: 'password', path: '/admin/password' },
  // Gone to within the pages: a browser that asks the service for it is told so as well.
  { name: 'not-found', path: '/welcome', arrive: goNowhere },
  {
    ...{ name: 'palette', path: '/welcome' },
    arrive: async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('button', { name: 'Go to …' }).click();
      await page.getByRole('combobox', { name: 'Go to' }).fill('lab');
      await page.getByRole('option', { name: 'Field trip planner' }).waitFor({ state: 'detached' });
      await page.getByRole('option', { name: 'Lab report coach' }).first().waitFor();
    },
  },
  { name: 'consent', path: life.consent },
  { name: 'api', path: '/docs' },
];

const ofAssistants = ({ college: { assistants } }: Seen): readonly PagePicture[] => {
  const tutor = `/assistants/${String(assistants.tutor)}`;
  return [
    { name: 'new-assistant', path: '/multi-tool-assistants/create' },
    { name: 'classic', path: tutor },
    { name: 'give', path: `${tutor}/give` },
    { name: 'insight', path: `${tutor}/insight`, size: TALL },
    { name: 'tests', path: `${tutor}/tests`, size: TALL },
    { name: 'chats', path: '/chat' },
  ];
};

const ofMaterial = ({ college: { collection }, life }: Seen): readonly PagePicture[] => {
  const knowledge = `/knowledge/${collection}`;
  return [
    { name: 'collections', path: '/knowledge' },
    { name: 'document', path: `${knowledge}/documents/${life.document}` },
    { name: 'questions', path: `${knowledge}/questions` },
    { name: 'vain', path: `${knowledge}/vain` },
    { name: 'sources', path: `${knowledge}/sources` },
    { name: 'collection-settings', path: `${knowledge}/settings` },
    { name: 'rubrics', path: '/rubrics' },
    { name: 'rubric-create', path: '/rubrics/create' },
    { name: 'files', path: '/files?folder=biology' },
    { name: 'runs', path: '/runs' },
  ];
};

const PARTS = ['models', 'prices', 'limits', 'links', 'templates', 'knowledge', 'moodle', 'json'];

function ofAdministration({ college: { administrator: as }, life, operator }: Seen): readonly PagePicture[] {
  const settings = `/admin/organizations/${String(as.organizationId)}`;
  return [
    { name: 'administration', path: '/admin', as },
    { name: 'people', path: '/admin/users', as },
    { name: 'invitations', path: '/admin/users/invitations', as },
    { name: 'organizations', path: '/admin/organizations', as: operator },
    ...PARTS.map((part) => ({ name: `settings-${part}`, path: `${settings}/${part}`, as })),
    { name: 'platforms', path: '/admin/lti', as: operator },
    { name: 'activities', path: '/admin/activities', as: operator },
    { name: 'keys', path: '/admin/api-keys', as },
    { name: 'budgets', path: '/admin/budgets', as },
    { name: 'budget', path: `/admin/budgets/${life.budget}`, as },
    { name: 'audit', path: '/admin/audit', as },
  ];
}

function inCourses({ life: { inCourse, choosing } }: Seen): readonly PagePicture[] {
  const part = (name: string, username: string, tab: string): PagePicture => ({
    ...{ name: `course-${name}`, path: '', visit: () => inCourse(username, tab) },
  });
  return [
    { name: 'course-choosing', path: '', visit: choosing },
    part('chat', 'student1', 'Chat'),
    part('hand-in', 'student1', 'Hand in'),
    part('try', 'teacher1', 'Try it'),
    part('dashboard', 'teacher1', 'Dashboard'),
    part('transcripts', 'teacher1', 'Conversations'),
    part('grades', 'teacher1', 'Grades'),
    {
      ...part('grading', 'teacher1', 'Grades'),
      arrive: async (page) => {
        await page.getByTestId('submission').first().click();
        await page.getByTestId('grade-actions').waitFor();
      },
    },
    part('settings', 'teacher1', 'Settings'),
  ];
}
