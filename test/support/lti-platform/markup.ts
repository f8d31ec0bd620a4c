import type { Exchange } from '../fakes/ledger-server.js';

/** Markup that was put together here; anything else is text. */
export interface Markup {
  readonly html: string;
}

type Piece = string | number | Markup | readonly Markup[];

/** What is put in is text, and shown as it is, unless it is markup itself. */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  const written = parts.map(
    (part, index) => part + (index < pieces.length ? asHtml(pieces[index] ?? '') : ''),
  );
  return { html: written.join('') };
}

function asHtml(piece: Piece): string {
  if (typeof piece === 'string' || typeof piece === 'number') return escape(String(piece));
  if ('html' in piece) return piece.html;
  return piece.map((each) => each.html).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

/** Pages of the platform may be framed by pages of the platform alone. */
export async function sendPage(
  { res }: Pick<Exchange, 'res'>,
  { html: text }: Markup,
  status = 200,
): Promise<void> {
  res.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'x-frame-options': 'sameorigin',
    'cache-control': 'no-store',
  });
  await new Promise<void>((sent) => res.end(text, sent));
}

export function redirect({ res }: Pick<Exchange, 'res'>, location: string): Promise<void> {
  res.writeHead(303, { location }).end();
  return Promise.resolve();
}

export type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

/** A page whose form sends itself. */
export function selfSubmitting(action: string, fields: Fields): Markup {
  const pairs = Array.isArray(fields) ? (fields as [string, string][]) : Object.entries(fields);
  const inputs = pairs.map(
    ([name, value]: readonly [string, string]) =>
      html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`<!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Launch</title>
      </head>
      <body>
        <form
          id="ltiLaunchForm"
          name="ltiLaunchForm"
          method="post"
          action="${action}"
          enctype="application/x-www-form-urlencoded"
        >
          ${inputs} <noscript><button type="submit">Continue</button></noscript>
        </form>
        <script>
          document.getElementById('ltiLaunchForm').submit();
        </script>
      </body>
    </html>`;
}
