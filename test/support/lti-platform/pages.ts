import { pageOf } from './layout.js';
import { html, redirect, sendPage } from './markup.js';
import { iconOf } from './course-page.js';
import { courseOf, PEOPLE, type Person } from './school.js';
import { cookieFor, type Handler, userOf } from './site.js';

/** The pages around a launch: who one is, and the activity within its course. */

const DUTIES = {
  student: 'Student',
  teacher: 'Teacher',
  tutor: 'Teacher who may not edit',
  admin: 'Administrator of the site',
};

export const home: Handler = (_site, exchange) => {
  const card = ({ username, given, family, role }: Person) =>
    html`<li>
      <a href="/login?user=${username}&amp;then=/course/view.php?id=2"
        >${given} ${family} <span>${DUTIES[role]} · ${username}</span></a
      >
    </li>`;
  const inside = PEOPLE.filter(({ courses }) => courses.length > 0);
  const body = html`<p>Enter the course as:</p>
    <ul class="cards">
      ${inside.map(card)}
    </ul>`;
  return sendPage(exchange, pageOf(exchange, { title: 'Who are you?', body }));
};

/** Everybody is let in by name, and only to pages of the platform. */
export const login: Handler = async (site, exchange) => {
  const { searchParams: query } = exchange.url;
  const username = query.get('user') ?? '';
  if (!PEOPLE.some((person) => person.username === username)) return home(site, exchange);
  const then = query.get('then') ?? '/';
  exchange.res.setHeader('set-cookie', cookieFor(username));
  return redirect(exchange, /^\/(?!\/)/.test(then) ? then : '/');
};

export const enrol: Handler = (_site, exchange) => {
  const body = html`<p>You cannot enrol yourself in this course.</p>`;
  return sendPage(exchange, pageOf(exchange, { title: 'Enrolment options', body }));
};

/** Where a tool sends people back to. */
export const comeBack: Handler = (_site, exchange) => {
  const course = exchange.url.searchParams.get('course') ?? '2';
  const body = html`<p><a href="/course/view.php?id=${course}" target="_top">Back to the course</a></p>`;
  return sendPage(exchange, pageOf(exchange, { title: 'Done', body }));
};

const MAY = ['microphone', 'camera', 'geolocation', 'midi', 'encrypted-media', 'autoplay'];

/** What Moodle lets the tool use: neither the clipboard nor the screen. */
const allowed = (launchUrl: string) =>
  MAY.map((feature, index) => (index < 2 ? `${feature} ${new URL(launchUrl).origin}` : feature)).join('; ');

/** The activity within its course: in a frame, or behind a link that opens a window. */
export const activityPage: Handler = async (site, exchange) => {
  const activity = site.registry.activityAt(Number(exchange.url.searchParams.get('id')));
  const tool = activity && site.registry.tool(activity.tool);
  if (!tool) return sendPage(exchange, html`<h1>Invalid course module ID</h1>`, 404);
  if (!userOf(exchange)) return redirect(exchange, '/login/index.php');
  const { title, course, cmid } = activity;
  const src = `/mod/lti/launch.php?id=${String(cmid)}&triggerview=0`;
  const body =
    (activity.container ?? tool.container) === 'iframe'
      ? html`<iframe
          id="contentframe"
          title="${title}"
          height="600"
          width="100%"
          src="${src}"
          allow="${allowed(tool.launchUrl)}"
          allowfullscreen="1"
        ></iframe>`
      : html`<p><a id="openwindow" href="${src}" target="_blank">Open ${title} in a new window</a></p>`;
  const way = html`<p class="soft">${iconOf(tool)}${courseOf(course).title}</p>`;
  return sendPage(exchange, pageOf(exchange, { title, course, body: html`${way}${body}` }));
};
