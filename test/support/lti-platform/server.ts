import { type Exchange, type Fake, sendJson } from '../fakes/ledger-server.js';
import { addActivity, coursePage } from './course-page.js';
import { createContentReturn } from './deep-linking.js';
import { gradesService } from './grades.js';
import { html, sendPage } from './markup.js';
import { membershipsService } from './memberships.js';
import { authPage, contentItemPage, launchPage } from './oidc.js';
import { activityPage, comeBack, enrol, home, login } from './pages.js';
import { gradebookPage, journalPage } from './record-pages.js';
import { openIdConfiguration, openIdRegistration, registrationPage } from './registration.js';
import type { Handler, Site } from './site.js';
import { createTokenDoor } from './token.js';
import { createToolKeys, type ToolKeys } from './tool-keys.js';

/** A learning platform that speaks LTI as Moodle does, with everything that is odd about it. */

const certs: Handler = async ({ faults, journal, keyring }, exchange) => {
  journal.add('jwks');
  if (await faults.meets(exchange, 'jwks')) return;
  return sendJson(exchange.res, 200, { keys: keyring.published() });
};

const pagesOf = (toolKeys: ToolKeys): Readonly<Record<string, Handler>> => ({
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
});

function handlerFor(pages: Readonly<Record<string, Handler>>, { pathname }: URL): Handler | undefined {
  if (/\/memberships$/.test(pathname)) return membershipsService;
  if (pathname.startsWith('/mod/lti/services.php/')) return gradesService;
  return pages[pathname];
}

export function fakeLtiPlatform(site: Site): Fake {
  const pages = pagesOf(createToolKeys());
  return {
    subjectOf: ({ pathname }) => pathname,
    async answer(exchange: Exchange) {
      const handler = handlerFor(pages, exchange.url);
      await (handler ? handler(site, exchange) : sendPage(exchange, html`<h1>Not found</h1>`, 404));
    },
  };
}
