import { existsSync } from 'node:fs';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type ConsoleMessage,
  type Page,
  type Request,
  type WebError,
} from 'playwright-core';
import { atTheEnd } from './at-the-end.js';

// The first that is there. The one without windows is the same engine, and takes a third of the time.
const { CHROMIUM_PATH } = process.env;
const PLACES = CHROMIUM_PATH ? [CHROMIUM_PATH] : ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = PLACES.find((path) => existsSync(path));
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // One process draws the pages of a profile, whichever site they are of and however often it goes from one to the
  // other: a new one would begin without any of their code compiled.
  '--process-per-site',
  '--renderer-process-limit=1',
  // A page lives here for a second or two: code that is optimised for it never earns back what that takes.
  '--js-flags=--no-turbofan --no-maglev',
  // The last list of features counts; the other two are Playwright's.
  '--enable-features=NetworkServiceInProcess2,CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies',
];

/** Why the tests that need a browser are left out; undefined when there is one. */
const noBrowser =
  CHROMIUM === undefined
    ? `there is no Chromium at ${PLACES.join(' or ')} (CHROMIUM_PATH says where to look)`
    : undefined;

/** A suite that needs a browser; where there is none it is left out, and its title says so. */
export function describeInBrowser(title: string, suite: (this: Mocha.Suite) => void): void {
  if (noBrowser === undefined) describe(title, suite);
  else describe.skip(`${title} (left out: ${noBrowser})`, suite);
}

let browser: Promise<Browser> | undefined;

/** Started with the first suite that asks, stopped after the last one. */
export function theBrowser(): Promise<Browser> {
  if (!browser) {
    if (CHROMIUM === undefined) throw new Error(noBrowser);
    const started = chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    atTheEnd(async () => (await started).close());
    browser = started;
  }
  return browser;
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What went wrong in the page, and what it asked of anybody but the service. Empty when all is well. */
  readonly complaints: string[];
  close(): Promise<void>;
}

export interface VisitOptions {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly locale?: string;
  /** Another site, in whose frames the service is shown; what it does on its own pages is its own business. */
  readonly host?: string;
  /** In a profile that has been nowhere before and has no file in its cache. */
  readonly fresh?: boolean;
}

/** Any file of ours will do: what a browser keeps for an address it keeps for all of it. */
const QUIET_PLACE = '/favicon.svg';

interface Profile {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Whether its pages keep a time of their own, which cannot be taken from them again. */
  hasOwnTime: boolean;
}

// Those that nobody uses, by what cannot be changed in them: as many as a test has people in it. A new one, with a
// process of its own, takes as long as two loads of a page.
const idle = new Map<string, Profile[]>();
const MOST_IDLE = 2;

/** An empty profile at a quiet place of one service, and watched. */
export async function visit(baseURL: string, options: VisitOptions = {}): Promise<Visit> {
  const { theme = 'light', width = 1200, locale = 'en-GB', fresh = false } = options;
  const kind = JSON.stringify([baseURL, locale]);
  const kept = idle.get(kind) ?? [];
  idle.set(kind, kept);
  const profile =
    (fresh ? undefined : kept.pop()) ?? (await newProfile({ baseURL, locale, reducedMotion: 'reduce' }));
  const { context, page } = profile;
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce', media: null, forcedColors: null });
  await page.setViewportSize({ width, height: 900 });
  const complaints: string[] = [];
  const unwatch = watch(context, { baseURL, host: options.host }, complaints);
  let isClosed = false;
  return {
    ...{ page, context, complaints },
    async close() {
      if (isClosed) return;
      isClosed = true;
      unwatch();
      if (fresh || !(await emptied(profile)) || kept.length >= MOST_IDLE) await context.close();
      else kept.push(profile);
    },
  };
}

async function newProfile(options: BrowserContextOptions): Promise<Profile> {
  const context = await (await theBrowser()).newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(100_000);
  await page.goto(QUIET_PLACE);
  const profile = { context, page, hasOwnTime: false };
  const install = context.clock.install.bind(context.clock);
  context.clock.install = (given) => {
    profile.hasOwnTime = true;
    return install(given);
  };
  return profile;
}

/** Takes what a visit has left out of a profile; false where that cannot be done. */
async function emptied({ context, page, hasOwnTime }: Profile): Promise<boolean> {
  if (hasOwnTime || page.isClosed()) return false;
  page.removeAllListeners();
  for (const each of context.pages()) if (each !== page) await each.close();
  for (const each of [page, context]) await each.unrouteAll({ behavior: 'ignoreErrors' });
  await Promise.all([context.setOffline(false), context.clearPermissions(), context.clearCookies()]);
  // One that is on its way to somewhere else by itself does not come.
  try {
    await page.goto(QUIET_PLACE);
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    return true;
  } catch {
    return false;
  }
}

function watch(
  context: BrowserContext,
  { baseURL, host }: { readonly baseURL: string; readonly host: string | undefined },
  complaints: string[],
): () => void {
  const known = [new URL(baseURL).origin, host];
  const onConsole = (message: ConsoleMessage) => {
    const { url } = message.location();
    const isOurs = host === undefined || !url.startsWith(host);
    if (isOurs && ['error', 'warning'].includes(message.type()))
      complaints.push(`console: ${message.text()} ${url}`);
  };
  const onError = (fault: WebError) => complaints.push(`error: ${fault.error().message}`);
  const onRequest = (request: Request) => {
    const url = new URL(request.url());
    if (!known.includes(url.origin) && !['data:', 'blob:'].includes(url.protocol))
      complaints.push(`request: ${url.href}`);
  };
  context.on('console', onConsole).on('weberror', onError).on('request', onRequest);
  return () => context.off('console', onConsole).off('weberror', onError).off('request', onRequest);
}
