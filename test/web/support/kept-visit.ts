import type { Visit } from '../../support/browser.js';

const SESSION = 'bellwether.session';

/**
 * A visit that the tests of a suite share, so that the pages are loaded once: each comes to it as to a new one, but for
 * who is signed in and where, and goes on with `goTo`. After a test that has failed there is a new one.
 */
export function keptVisit<Kind extends Visit>(open: () => Promise<Kind>): () => Kind {
  let kept: Kind | undefined;
  beforeEach(async () => {
    if (kept) await renew(kept);
    else kept = await open();
  });
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await kept?.close();
    kept = undefined;
  });
  after(() => kept?.close());
  return () => {
    if (!kept) throw new Error('There is a visit while a test runs.');
    return kept;
  };
}

async function renew({ page, context, complaints }: Visit): Promise<void> {
  for (const each of [page, context]) await each.unrouteAll({ behavior: 'ignoreErrors' });
  await context.clearPermissions();
  await page.emulateMedia({ colorScheme: 'light', media: null });
  await page.setViewportSize({ width: 1200, height: 900 });
  // As by leaving: deletions that could be undone are carried out. A form keeps what is in it when it is left, and what
  // was said last is there for a while: a test would find it beside what it looks for.
  await page.evaluate(`(async () => {
    dispatchEvent(new Event('pagehide'));
    document.querySelectorAll('[data-testid=toast] .dismiss button').forEach((each) => each.click());
    document.querySelectorAll('.for-screen-readers[role=status]').forEach(({ firstChild }) => {
      if (firstChild) firstChild.nodeValue = '';
    });
    history.pushState(null, '', '/nowhere');
    dispatchEvent(new PopStateEvent('popstate'));
    await new Promise((resolve) => setTimeout(resolve));
    localStorage.clear();
    for (const key of Object.keys(sessionStorage)) if (key !== '${SESSION}') sessionStorage.removeItem(key);
  })()`);
  complaints.length = 0;
}
