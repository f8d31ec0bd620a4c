import { z } from 'zod';
import { type Exchange, runFake, sendJson } from '../ledger-server.js';
import { addActivity, coursePage } from './course-page.js';
import { createContentReturn } from './deep-linking.js';
import { FaultOrder } from './faults.js';
import { gradesService } from './grades.js';
import { KeyChange } from './keyring.js';
import { html, sendPage } from './markup.js';
import { membershipsService } from './memberships.js';
import { authPage, contentItemPage, launchPage } from './oidc.js';
import { activityPage, comeBack, enrol, home, login } from './pages.js';
import { gradebookPage, journalPage } from './record-pages.js';
import {
  beginRegistration,
  openIdConfiguration,
  openIdRegistration,
  registrationPage,
} from './registration.js';
import { ActivityTraits, ToolTraits } from './school.js';
import { createSite, type Handler } from './site.js';
import { createTokenDoor } from './token.js';
import { createToolKeys } from './tool-keys.js';

/** A learning platform that speaks LTI as Moodle does, with everything that is odd about it. */

const site = await createSite();
const toolKeys = createToolKeys();

const certs: Handler = async ({ faults, journal, keyring }, exchange) => {
  journal.add('jwks');
  if (await faults.meets(exchange, 'jwks')) return;
  return sendJson(exchange.res, 200, { keys: keyring.published() });
};

const PAGES: Readonly<Record<string, Handler>> = {
  '/': home,
  '/login': login,
  '/login/index.php': login,
  '/enrol/index.php': enrol,
  '/course/view.php': coursePage,
  '/course/modedit.php': addActivity,
  '/grade/report/grader/index.php': gradebookPage,
  '/journal': journalPage,
  '/mod/lti/return.php': comeBack,
  '/mod/lti/view.php': activityPage,
  '/mod/lti/launch.php': launchPage,
  '/mod/lti/contentitem.php': contentItemPage,
  '/mod/lti/contentitem_return.php': createContentReturn(toolKeys),
  '/mod/lti/auth.php': authPage,
  '/mod/lti/token.php': createTokenDoor(toolKeys),
  '/mod/lti/certs.php': certs,
  '/mod/lti/openid-configuration.php': openIdConfiguration,
  '/mod/lti/openid-registration.php': openIdRegistration,
  '/mod/lti/startltiadvregistration.php': registrationPage,
};

function handlerFor({ pathname }: URL): Handler | undefined {
  if (/\/memberships$/.test(pathname)) return membershipsService;
  if (pathname.startsWith('/mod/lti/services.php/')) return gradesService;
  return PAGES[pathname];
}

async function answer(exchange: Exchange): Promise<void> {
  const handler = handlerFor(exchange.url);
  return handler ? handler(site, exchange) : sendPage(exchange, html`<h1>Not found</h1>`, 404);
}

const JournalQuestion = z.object({
  kind: z.string().optional(),
  tool: z.number().optional(),
  count: z.number().default(0),
  withinMs: z.number().default(5_000),
});

await runFake({
  subject: 'path',
  subjectOf: ({ pathname }) => pathname,
  answer,
  controls: {
    '/_tool': (body) => site.registry.addTool(ToolTraits.parse(body)),
    '/_change-tool': (body) => {
      const { id, ...change } = z.looseObject({ id: z.number() }).parse(body);
      return site.registry.changeTool(id, change);
    },
    '/_activity': (body) => site.registry.addActivity(ActivityTraits.parse(body)),
    '/_keys': (body) => site.keyring.change(KeyChange.parse(body)),
    '/_key': () => site.keyring.signing(),
    '/_fault': (body) => {
      site.faults.order(FaultOrder.parse(body));
    },
    '/_register': (body) => ({
      token: beginRegistration(site, z.object({ tool: z.number().optional() }).parse(body).tool),
    }),
    '/_journal': (body) => {
      const { kind, tool, ...wanted } = JournalQuestion.parse(body);
      return site.journal.when(kind, tool, wanted);
    },
  },
});
