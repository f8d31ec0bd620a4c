import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { AppError } from '../../../core/errors.js';
import { escapeHtml } from '../../knowledge/passage-page-html.js';
import { LOOK } from '../../resources/page-style.js';
import { frameAncestors } from './browser.js';
import { type KnownFault, type NoticeWords, noticeWordsIn } from './notice-texts.js';
import type { Registered } from './register-platform.js';

/** Presses the button of a page that waits for nobody. */
export const SUBMIT_SCRIPT = "document.querySelector('form').submit();\n";

/** Tells the platform that it may put our page away, once somebody has read it. */
export const CLOSE_SCRIPT = `const close = () => window.parent.postMessage({ subject: 'org.imsglobal.lti.close' }, '*');
document.querySelector('button').addEventListener('click', close);
`;

export interface NoticePage {
  readonly status: number;
  readonly words: NoticeWords;
  readonly html: string;
  /** Whose pages may show it. */
  readonly origins: readonly string[];
}

/** In the language of the course, where it is known, else in the reader's. */
export function wordsFor(req: Request, locale?: string): NoticeWords {
  return noticeWordsIn([...(locale === undefined ? [] : [locale]), ...req.acceptsLanguages()]);
}

export function sendNotice(res: Response, { status, words, html, origins }: NoticePage): void {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src '${STYLE_HASH}'`,
    "base-uri 'none'",
    "form-action 'self'",
    frameAncestors(origins),
  ];
  res
    .status(status)
    .set({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': words.lang,
      'Content-Security-Policy': policy.join('; '),
      'X-Content-Type-Options': 'nosniff',
      // To ourselves it must be told where a form comes from.
      'Referrer-Policy': 'same-origin',
      'X-Robots-Tag': 'noindex, nofollow',
      'Cache-Control': 'private, no-store',
      Vary: 'Accept, Accept-Language, Cookie',
    })
    .send(html);
}

/** The same as the error says, in words of the page where there are any. */
export function faultPage(words: NoticeWords, { code, message }: AppError, requestId: string): string {
  const known = Object.hasOwn(words.faults, code) ? words.faults[code as KnownFault] : undefined;
  const text = known ? escapeHtml(known.text) : `<span lang="en">${escapeHtml(message)}</span>`;
  return page(words, known?.title ?? words.otherwise, [
    `<p>${text}</p>`,
    ...(known?.isGeneral === true ? [`<p lang="en">${escapeHtml(message)}</p>`] : []),
    `<p class="quiet">${escapeHtml(words.requestId(requestId))}</p>`,
  ]);
}

/** Says whom one would be: nobody is let in as somebody else without noticing. */
export function windowPage(words: NoticeWords, name: string, ticket: string): string {
  return page(words, words.window.title, [
    `<p>${escapeHtml(words.window.text)}</p>`,
    form(ticket, words.continueAs(name), ' target="_blank" rel="noopener"'),
    ...(name === '' ? [] : [`<p class="quiet">${escapeHtml(words.notYou)}</p>`]),
  ]);
}

/** Goes on by itself; by the button where scripts are off. */
export function onwardPage(words: NoticeWords, ticket: string): string {
  return page(words, words.moment.title, [
    `<p>${escapeHtml(words.moment.text)}</p>`,
    form(ticket, words.goOn, ''),
    '<script src="/lti/submit.js"></script>',
  ]);
}

/** What is left to do, in the platform and here; put away by whoever has read it. */
export function registeredPage(words: NoticeWords, { platform, wasKnown }: Registered): string {
  const { ready, updated, waiting, steps, close } = words.registration;
  const isDone = platform.enabled && wasKnown;
  const { title, text } = (platform.enabled ? (isDone ? updated : ready) : waiting)(platform.name);
  const left = isDone ? steps.slice(1) : steps;
  return page(words, title, [
    `<p>${escapeHtml(text)}</p>`,
    `<ol>${left.map((step) => `<li>${escapeHtml(step)}</li>`).join('')}</ol>`,
    `<button type="button">${escapeHtml(close)}</button>`,
    '<script src="/lti/close.js"></script>',
  ]);
}

function form(ticket: string, label: string, traits: string): string {
  return [
    `<form method="post" action="/lti/continue"${traits}>`,
    `<input type="hidden" name="ticket" value="${escapeHtml(ticket)}">`,
    `<button type="submit">${escapeHtml(label)}</button>`,
    '</form>',
  ].join('');
}

function page({ lang }: NoticeWords, title: string, body: readonly string[]): string {
  return [
    `<!doctype html>\n<html lang="${lang}">\n<head>`,
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>\n<body>\n<main>',
    `<h1>${escapeHtml(title)}</h1>`,
    ...body,
    '</main>\n</body>\n</html>\n',
  ].join('\n');
}

/** All that the notices look like. It stands in the page itself, and its hash in the policy: nothing else may style it. */
const STYLE = `${LOOK}
main { max-width: 34rem; margin: 0 auto; padding: clamp(1.5rem, 10vh, 5rem) 1.25rem 2rem; font-size: 1rem; }
h1 { margin-bottom: 0.75rem; }
main p { margin: 0 0 1.25rem; overflow-wrap: anywhere; }
main ol { margin: 0 0 1.5rem; padding-inline-start: 1.5rem; overflow-wrap: anywhere; }
main li { margin: 0 0 0.75rem; }
button { font: inherit; font-weight: 600; min-height: var(--touch); padding: 0.5rem 1.4rem; border: 0;
  border-radius: var(--round); background: var(--accent); color: var(--on-accent); cursor: pointer; max-width: 100%;
  overflow-wrap: anywhere; }
button:hover { background: var(--accent-strong); }
main .quiet { margin: 1.25rem 0 0; color: var(--text-soft); font-size: 0.875rem; }
`;

const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;
