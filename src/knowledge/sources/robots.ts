import { refusal } from './faults.js';
import { fetchOnHost, USER_AGENT, wholeBody } from './requests.js';

/** What a site asks of those who read it by machine (RFC 9309). */
export interface Robots {
  allows(url: string): boolean;
  /** Between two requests. */
  readonly pauseMs: number;
  readonly sitemaps: readonly string[];
}

/** RFC 9309, 2.5: at least this much is to be read. */
const MOST_BYTES = 500 * 1024;
const USUAL_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

const SILENT: Robots = { allows: () => true, pauseMs: USUAL_PAUSE_MS, sitemaps: [] };

/** A site without one allows everything; one whose server fails over it allows nothing (2.3.1). */
export async function readRobots(
  origin: string,
  { fetch, signal }: { readonly fetch: typeof globalThis.fetch; readonly signal: AbortSignal },
): Promise<Robots> {
  const { response, url } = await fetchOnHost(fetch, `${origin}/robots.txt`, {
    ...{ signal, headers: { 'user-agent': USER_AGENT } },
  });
  if (response.status >= 500) {
    await response.body?.cancel();
    throw refusal(
      'robots_fail',
      'The site does not say what may be read of it (its robots.txt fails). Try again later.',
    );
  }
  if (response.status !== 200) {
    await response.body?.cancel();
    return SILENT;
  }
  const text = (await wholeBody(response, 4 * MOST_BYTES)).subarray(0, MOST_BYTES).toString('utf8');
  const { default: parser } = await import('robots-parser');
  // Its types say that it is an ES module, which it is not.
  const rules = (parser as unknown as typeof parser.default)(url, text);
  const wanted = (rules.getCrawlDelay(USER_AGENT) ?? 0) * 1_000;
  return {
    allows: (page) => rules.isAllowed(page, USER_AGENT) ?? true,
    pauseMs: Math.min(Math.max(wanted, USUAL_PAUSE_MS), LONGEST_PAUSE_MS),
    sitemaps: rules.getSitemaps(),
  };
}
