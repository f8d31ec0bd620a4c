import type { Exchange } from '../fakes/ledger-server.js';
import { html, type Markup } from './markup.js';
import { STYLE } from './style.js';
import { userOf } from './site.js';

export interface PageParts {
  readonly title: string;
  readonly body: Markup;
  /** The course it is about. */
  readonly course?: number;
  /** Shown anew every few seconds. */
  readonly lively?: boolean;
}

/** A page of the platform: whom one is, and the way around. */
export function pageOf(exchange: Exchange, { title, body, course = 2, lively = false }: PageParts): Markup {
  const person = userOf(exchange);
  const who = person ? `${person.given} ${person.family} (${person.role})` : 'Nobody is logged in';
  return html`<!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        ${lively ? html`<meta http-equiv="refresh" content="4" />` : ''}
        <link rel="icon" href="data:," />
        <title>${title}</title>
        <style>
          ${{ html: STYLE }}
        </style>
      </head>
      <body>
        <header>
          <strong>Demo campus</strong>
          <span id="who">${who}</span>
          <a href="/">Change person</a>
          <a href="/course/view.php?id=${course}">Course</a>
          <a href="/grade/report/grader/index.php?id=${course}">Gradebook</a>
          <a href="/journal">Journal</a>
        </header>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`;
}
