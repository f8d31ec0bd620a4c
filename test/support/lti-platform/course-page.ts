import { pageOf } from './layout.js';
import { html, type Markup, redirect, sendPage } from './markup.js';
import { type Activity, ActivityTraits, COURSES, type Tool } from './school.js';
import { fieldsOf, type Handler, isStaff, userOf } from './site.js';

/** A course: what is in it, and for its teachers how to put more there. */
export const coursePage: Handler = async (site, exchange) => {
  const course = COURSES.find(({ id }) => String(id) === exchange.url.searchParams.get('id'));
  const person = userOf(exchange);
  if (!course) return sendPage(exchange, html`<h1>There is no such course</h1>`, 404);
  if (!person) return redirect(exchange, '/login/index.php');
  if (!person.courses.includes(course.id))
    return redirect(exchange, `/enrol/index.php?id=${String(course.id)}`);
  const activities = site.registry.activitiesIn(course.id);
  const body = html`<div id="activities">
      ${activities.length === 0 ? html`<p class="soft">There is nothing in this course yet.</p>` : ''}
      ${activities.map((activity) => rowOf(activity, site.registry.tool(activity.tool)))}
    </div>
    ${isStaff(person) ? adding(course.id, site.registry.tools()) : ''}
    ${person.role === 'admin' ? REGISTERING : ''}
    ${COURSES.filter(({ id }) => id !== course.id && person.courses.includes(id)).map(
      ({ id, title }) => html`<p>Another course: <a href="/course/view.php?id=${id}">${title}</a></p>`,
    )}`;
  return sendPage(exchange, pageOf(exchange, { title: course.title, course: course.id, body }));
};

/** Browsers load it from the tool's site, which must let other sites show it. */
export const iconOf = (tool: Tool | undefined): Markup =>
  tool && tool.icon !== ''
    ? html`<img class="icon" src="${tool.icon}" alt="" width="24" height="24" />`
    : html``;

function rowOf({ cmid, title, grade, container }: Activity, tool: Tool | undefined): Markup {
  const where = (container ?? tool?.container) === 'window' ? 'opens a window' : 'in the page';
  const graded = grade === null ? 'no grade' : `out of ${String(grade)}`;
  return html`<p class="row">
    ${iconOf(tool)}<a href="/mod/lti/view.php?id=${cmid}">${title}</a>
    <span class="soft">${tool?.name ?? ''} · LTI ${tool?.version ?? ''} · ${where} · ${graded}</span>
  </p>`;
}

function adding(course: number, tools: readonly Tool[]): Markup {
  return html`<h2>Add an activity</h2>
    ${tools
      .filter(({ coursevisible }) => coursevisible === 2)
      .map((tool) => html`${tool.contentUrl === '' ? '' : choosing(course, tool)}${plainly(course, tool)}`)}
    <dialog id="choice">
      <header>
        <strong>Select content</strong><button class="plain" onclick="choice.close()">Close</button>
      </header>
      <iframe id="choiceframe" title="Select content" height="600"></iframe>
    </dialog>
    <script>
      const choice = document.getElementById('choice');
      const frame = document.getElementById('choiceframe');
      for (const button of document.querySelectorAll('[data-choose]'))
        button.addEventListener('click', () => {
          frame.src = button.dataset.choose;
          choice.showModal();
        });
      addEventListener('message', ({ data, origin }) => {
        if (origin === location.origin && data?.subject === 'platform.chosen') location.reload();
      });
    </script>`;
}

const REGISTERING = html`<h2>Add a tool</h2>
  <form action="/mod/lti/startltiadvregistration.php">
    <label>Its registration address <input name="url" type="url" size="50" required /></label>
    <button class="plain">Add</button>
  </form>`;

const choosing = (course: number, { id, name }: Tool) =>
  html`<form>
    <button type="button" data-choose="/mod/lti/contentitem.php?course=${course}&amp;id=${id}">
      ${name}: select content …
    </button>
  </form>`;

const plainly = (course: number, { id, name, version }: Tool) =>
  html`<form method="post" action="/course/modedit.php">
    <input type="hidden" name="course" value="${course}" /><input type="hidden" name="tool" value="${id}" />
    <button class="plain">${name} (LTI ${version}): an empty one</button>
  </form>`;

/** A new activity with nothing chosen: the tool will ask the teacher who opens it. */
export const addActivity: Handler = async (site, exchange) => {
  const { course = '2', tool = '' } = fieldsOf(exchange);
  if (!isStaff(userOf(exchange)) || !site.registry.tool(Number(tool)))
    return sendPage(exchange, html`<h1>You are not allowed to do that</h1>`, 403);
  const title = `Activity ${String(site.registry.activitiesIn(Number(course)).length + 1)}`;
  site.registry.addActivity(ActivityTraits.parse({ tool: Number(tool), course: Number(course), title }));
  return redirect(exchange, `/course/view.php?id=${course}`);
};
