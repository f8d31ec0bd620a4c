import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
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
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

export interface VisitOptions {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly locale?: string;
  /** For tools that put their own script into the page. */
  readonly bypassCSP?: boolean;
}

/** A new profile that goes to one service, and is watched. */
export async function visit(baseURL: string, options: VisitOptions = {}): Promise<Visit> {
  const { theme = 'light', width = 1200, locale = 'en-GB', bypassCSP = false } = options;
  const context = await (
    await theBrowser()
  ).newContext({
    ...{ baseURL, locale, bypassCSP, colorScheme: theme, reducedMotion: 'reduce' },
    viewport: { width, height: 900 },
  });
  const complaints: string[] = [];
  watch(context, baseURL, complaints);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  return { page, context, complaints, close: () => context.close() };
}

function watch(context: BrowserContext, baseURL: string, complaints: string[]): void {
  const { origin } = new URL(baseURL);
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      complaints.push(`console: ${message.text()} ${message.location().url}`);
  });
  context.on('weberror', (fault) => complaints.push(`error: ${fault.error().message}`));
  context.on('request', (request) => {
    const url = new URL(request.url());
    const isOurs = url.origin === origin || ['data:', 'blob:'].includes(url.protocol);
    if (!isOurs) complaints.push(`request: ${url.href}`);
  });
}
