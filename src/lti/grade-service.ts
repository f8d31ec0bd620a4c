import { type AppError, unusableAnswer } from '../core/errors.js';
import { jsonIn, type Reply } from './exchange.js';
import { mayPass, platformFault } from './service-call.js';

const SCOPE = 'https://purl.imsglobal.org/spec/lti-ags/scope/';
export const LINE_ITEM_SCOPE = `${SCOPE}lineitem`;
export const LINE_ITEM_READ_SCOPE = `${SCOPE}lineitem.readonly`;
export const SCORE_SCOPE = `${SCOPE}score`;
export const RESULT_SCOPE = `${SCOPE}result.readonly`;
export const GRADE_SCOPES = [LINE_ITEM_SCOPE, LINE_ITEM_READ_SCOPE, SCORE_SCOPE, RESULT_SCOPE] as const;

/** An address below one that may have a query, which stays: Moodle's has. */
export function below(address: string, part: 'scores' | 'results'): string {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${part}`;
  return url.href;
}

/** With more in its query; what is undefined is not asked for. */
export function withQuery(address: string, more: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(more)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
}

/** What a good answer holds; any other is a fault that says what the platform did not do. */
export function answerIn(reply: Reply, what: string): unknown {
  const { status } = reply;
  if (status >= 200 && status < 300) return jsonIn(reply);
  const words = `The learning platform did not ${what} (status ${String(status)}).`;
  throw platformFault(words, mayPass(status));
}

export function unreadable(): AppError {
  return unusableAnswer('The learning platform answered about grades in a way that cannot be read.');
}
