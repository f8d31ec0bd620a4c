import type { Exchange } from '../ledger-server.js';
import { html, type Markup, redirect, sendPage } from './markup.js';
import { courseOf, PEOPLE } from './school.js';
import { cookieFor, type Handler, userOf } from './site.js';

/** The pages around a launch, as far as a launch needs them. */

/** Everybody is let in by name. */
export const login: Handler = async (_site, exchange) => {
  const username = exchange.url.searchParams.get('user') ?? '';
  if (!PEOPLE.some((person) => person.username === username))
    return sendPage(
      exchange,
      html`<!DOCTYPE html><title>Log in</title>
        <h1>Log in</h1>`,
    );
  exchange.res.setHeader('set-cookie', cookieFor(username));
  return redirect(exchange, exchange.url.searchParams.get('then') ?? '/');
};

export const enrol: Handler = (_site, exchange) =>
  sendPage(
    exchange,
    html`<!DOCTYPE html><title>Enrol</title>
      <h1>You cannot enrol yourself in this course.</h1>`,
  );

const MAY = ['microphone', 'camera', 'geolocation', 'midi', 'encrypted-media', 'autoplay'];

/** The activity within its course: in a frame, or behind a link that opens a window. */
export const activityPage: Handler = async (site, exchange) => {
  const activity = site.registry.activityAt(Number(exchange.url.searchParams.get('id')));
  const tool = activity && site.registry.tool(activity.tool);
  if (!tool) return sendPage(exchange, html`<h1>Invalid course module ID</h1>`, 404);
  if (!userOf(exchange)) return redirect(exchange, '/login/index.php');
  const src = `/mod/lti/launch.php?id=${String(activity.cmid)}&triggerview=0`;
  const inFrame = (activity.container ?? tool.container) === 'iframe';
  return sendPage(
    exchange,
    framed(exchange, {
      title: activity.title,
      course: activity.course,
      body: inFrame
        ? html`<iframe
            id="contentframe"
            title="${activity.title}"
            height="600"
            width="100%"
            src="${src}"
            allow="${allowed(tool.launchUrl)}"
            allowfullscreen="1"
          ></iframe>`
        : html`<p>
            <a id="openwindow" href="${src}" target="_blank">Open ${activity.title} in a new window</a>
          </p>`,
    }),
  );
};

/** What Moodle lets the tool use: neither the clipboard nor the screen. */
const allowed = (launchUrl: string) =>
  MAY.map((feature, index) => (index < 2 ? `${feature} ${new URL(launchUrl).origin}` : feature)).join('; ');

interface Parts {
  readonly title: string;
  readonly course: number;
  readonly body: Markup;
}

const framed = (exchange: Exchange, { title, course, body }: Parts): Markup =>
  html`<!DOCTYPE html>
    <html lang="en">
      <meta charset="utf-8" /><title>${title}</title>
      <p>
        <a href="/course/view.php?id=${course}">${courseOf(course).title}</a> ·
        ${userOf(exchange)?.given ?? ''}
      </p>
      <h1>${title}</h1>
      ${body}
    </html>`;
