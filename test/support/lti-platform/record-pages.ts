import { resultOf } from './gradebook.js';
import type { JournalEntry } from './journal.js';
import { pageOf } from './layout.js';
import { html, type Markup, sendPage } from './markup.js';
import { courseOf, PEOPLE } from './school.js';
import type { Handler, Site } from './site.js';

/** What has come of it: the grades, and everything that happened. */

export const gradebookPage: Handler = async (site, exchange) => {
  const course = courseOf(Number(exchange.url.searchParams.get('id') ?? 2));
  const columns = site.gradebook.items(course.id);
  const students = PEOPLE.filter(({ role, courses }) => role === 'student' && courses.includes(course.id));
  const body = html`<div class="wide">
    <table id="gradebook">
      <thead>
        <tr>
          <th>Student</th>
          ${columns.map(({ label, scoreMaximum }) => html`<th>${label} (${scoreMaximum})</th>`)}
        </tr>
      </thead>
      <tbody>
        ${students.map(
          (student) =>
            html`<tr>
              <th>${student.given} ${student.family}</th>
              ${columns.map((column) => cellOf(site, column, student))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
  const title = `Gradebook of ${course.title}`;
  return sendPage(exchange, pageOf(exchange, { title, course: course.id, body, lively: true }));
};

type Column = ReturnType<Site['gradebook']['items']>[number];

function cellOf({ gradebook }: Site, column: Column, student: (typeof PEOPLE)[number]): Markup {
  const score = gradebook.score(column.id, student);
  const result = score ? resultOf(score, column) : null;
  if (!score || result === null) return html`<td class="soft">–</td>`;
  return html`<td>${Math.round(result * 100) / 100} <span class="soft">${score.comment}</span></td>`;
}

const DEEDS: Readonly<Record<JournalEntry['kind'], string>> = {
  login: 'Somebody clicks: login begins',
  auth: 'The tool asks who it was',
  launch: 'A signed launch goes to the tool',
  jwks: 'The platform’s keys are read',
  token: 'An access token is given',
  token_refused: 'An access token is refused',
  memberships: 'The roster is read',
  lineitem: 'A grade column is made',
  score: 'A grade is taken',
  score_refused: 'A grade is refused',
  deep_link: 'Chosen content becomes activities',
  deep_link_refused: 'Chosen content is refused',
  registration: 'A tool registers',
  registration_refused: 'A registration is refused',
};

const NEWEST = 200;

export const journalPage: Handler = async ({ journal }, exchange) => {
  const rows = journal.of().slice(-NEWEST).toReversed();
  const body = html`<p class="soft">What the platform and the tool have said to each other, newest first.</p>
    <div class="wide">
      <table id="journal">
        <tbody>
          ${rows.map(journalRow)}
        </tbody>
      </table>
    </div>`;
  return sendPage(exchange, pageOf(exchange, { title: 'Journal', body, lively: true }));
};

const journalRow = ({ kind, at, ...facts }: JournalEntry): Markup =>
  html`<tr>
    <td>${new Date(at).toISOString().slice(11, 19)}</td>
    <td>${DEEDS[kind]}</td>
    <td><code>${JSON.stringify(facts)}</code></td>
  </tr>`;
