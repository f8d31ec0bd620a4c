import type { Page } from 'playwright-core';
import type { Person } from '../../test/http/support/users-fixture.js';
import type { Visit } from '../../test/support/browser.js';
import type { College } from './college.js';
import { COMPARED, QUESTION } from './course.js';

/** What one picture shows. */
export interface PagePicture {
  readonly name: string;
  readonly path: string;
  /** The teacher unless given. */
  readonly as?: Person;
  /** What whoever is not signed in sees. */
  readonly isOutside?: boolean;
  readonly size?: { readonly width: number; readonly height: number };
  /** Another way in than an address. */
  readonly visit?: () => Promise<Visit>;
  /** Brings the page to what is to be seen; without it all that it shows by itself. */
  arrive?(page: Page): Promise<unknown>;
}

const PHONE = { width: 390, height: 780 };

const toTheTop = (heading: string) => `
  [...document.querySelectorAll('h2')].find(({ textContent }) => textContent === '${heading}').scrollIntoView();
  scrollBy(0, -88);`;

const shown = (testId: string) => (page: Page) => page.getByTestId(testId).first().waitFor();

const seeKinds = async (page: Page) => {
  await page.getByText('From scratch').click();
  await page.getByTestId('choose-classic').scrollIntoViewIfNeeded();
};

export const knowledgePages = ({ collection }: College): readonly PagePicture[] => {
  const ask = `/knowledge/${collection}/ask?question=${encodeURIComponent('How do plants turn light into sugar?')}`;
  return [
    { name: 'knowledge-documents', path: `/knowledge/${collection}`, arrive: shown('document') },
    { name: 'knowledge-ask', path: ask, arrive: shown('finding') },
  ];
};

export const assistantPages = ({ assistants }: College): readonly PagePicture[] => {
  const builder = `/multi-tool-assistants/${String(assistants.coach)}`;
  const coach = `/assistants/${String(assistants.coach)}`;
  return [
    { name: 'assistants', path: '/assistants', arrive: shown('assistant') },
    {
      name: 'gallery',
      path: '/assistants/create',
      size: { width: 1200, height: 1000 },
      arrive: shown('template-socratic-tutor'),
    },
    {
      name: 'trial',
      path: `/multi-tool-assistants/${String(assistants.desk)}`,
      size: { width: 1200, height: 1000 },
      arrive: tryOut,
    },
    {
      name: 'types',
      path: '/assistants/create',
      size: { width: 1200, height: 520 },
      arrive: seeKinds,
    },
    { name: 'builder', path: builder, size: { width: 1200, height: 1000 }, arrive: seeTools },
    { name: 'builder-phone', path: builder, size: PHONE, arrive: openTool },
    { name: 'versions', path: `${coach}/versions?from=1&to=3`, arrive: shown('text-diff') },
    { name: 'sharing', path: `${coach}/sharing`, size: { width: 1200, height: 1060 }, arrive: checkAccess },
  ];
};

export const chatPages = (
  { assistants: { tutor, desk } }: College,
  conversation: string,
): readonly PagePicture[] => {
  const compare = `/chat/compare?a=${String(tutor)}&b=${String(desk)}`;
  return [
    { name: 'chat', path: conversation, arrive: unfold },
    { name: 'chat-phone', path: conversation, size: PHONE, arrive: unfold },
    { name: 'compare', path: compare, arrive: (page) => ask(page, COMPARED, 2) },
  ];
};

export const resourcePages = ({ rubric }: College, run: string): readonly PagePicture[] => [
  {
    ...{ name: 'rubric', path: `/rubrics/${rubric}`, size: { width: 1200, height: 870 } },
    arrive: async (page) => {
      await shown('weight-sum')(page);
      await page.evaluate(toTheTop('Criteria and levels'));
    },
  },
  {
    ...{ name: 'run', path: `/runs/${run}`, size: { width: 1200, height: 860 } },
    arrive: shown('waterfall-line'),
  },
];

export const administratorPages = (as: Person, settingsAs: Person): readonly PagePicture[] => [
  { name: 'usage', path: '/usage', as, size: { width: 1200, height: 965 }, arrive: shown('day-chart') },
  {
    ...{
      name: 'settings',
      path: `/admin/organizations/${String(settingsAs.organizationId)}`,
      as: settingsAs,
    },
    arrive: testConnection,
  },
];

/** Sends a question and waits until so many answers are complete. */
export async function ask(page: Page, question = QUESTION, answers = 1): Promise<void> {
  await page.getByRole('textbox').fill(question);
  await page.keyboard.press('Enter');
  await page
    .getByRole('button', { name: 'Copy the answer' })
    .nth(answers - 1)
    .waitFor();
}

async function unfold(page: Page): Promise<void> {
  await page.getByRole('button', { name: /\d steps?/ }).click();
  await page.getByTestId('step').first().waitFor();
  await page.mouse.move(0, 0);
}

async function tryOut(page: Page): Promise<void> {
  await page.getByTestId('trial').getByRole('textbox').fill(QUESTION);
  await page.keyboard.press('Enter');
  await page.getByTestId('trial').getByRole('link', { name: 'Details' }).waitFor();
  await page.mouse.move(0, 0);
}

async function openTool(page: Page): Promise<void> {
  const tool = page.locator('[data-testid=tool-card][data-type=simple_rag]');
  await tool.getByRole('button', { name: 'Knowledge' }).first().click();
  await tool.getByTestId('picked').waitFor();
  await page.evaluate(toTheTop('Tools'));
  await page.mouse.move(0, 0);
}

async function seeTools(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Preview' }).click();
  await page.getByTestId('preview-message').first().waitFor();
  await openTool(page);
  await page.getByLabel('Sample question').fill('Did I explain the light reactions well?');
  await page.getByTestId('preview-message').getByText('reactions well').waitFor();
  await page.mouse.move(0, 0);
}

async function checkAccess(page: Page): Promise<void> {
  await page.getByTestId('share').first().waitFor();
  await page.getByLabel('E-mail', { exact: true }).fill('anna.riera@example.test');
  await page.keyboard.press('Enter');
  await page.getByTestId('verdict').waitFor();
}

/** Nobody is called for a picture: the answer is one that a provider has given. */
async function testConnection(page: Page): Promise<void> {
  const answer = {
    ...{ ok: true, ms: 412, message: 'The provider answered.' },
    models: ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'gpt-4.1-mini'],
  };
  await page.route('**/providers/openai/test', (route) => route.fulfill({ json: answer }));
  await page.getByRole('button', { name: 'Test connection: OpenAI' }).click();
  await page.getByTestId('connection-good').waitFor();
  await page.mouse.move(0, 0);
}
