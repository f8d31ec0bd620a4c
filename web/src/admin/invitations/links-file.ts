import type { ImportReport } from '../../../../src/http/contract/people/invitations.ts';

/** What a spreadsheet would take for a formula is only text to it behind an apostrophe. */
const FORMULA = /^[=+\-@\t\r]/;
const cell = (text: string): string => {
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};

/** The links of those who were invited, as a file that spreadsheets open. */
export function linksFile({ rows, expires_at }: ImportReport): Blob {
  const lines = rows.flatMap(({ email, name, url }) =>
    url === undefined ? [] : [[email, name, url, expires_at ?? ''].map(cell).join(',')],
  );
  // With the mark, or spreadsheets of Windows read it as another encoding.
  return new Blob(['\uFEFF', ['email,name,link,valid_until', ...lines].join('\r\n'), '\r\n'], {
    type: 'text/csv',
  });
}

/** What a list looks like. */
export const exampleFile = (): Blob =>
  new Blob(['\uFEFFemail,name,role\r\nada@example.org,Ada Lovelace,creator\r\n'], { type: 'text/csv' });
