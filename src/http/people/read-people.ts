import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { badRequest } from '../../core/errors.js';
import { decodeText } from '../../knowledge/extract/text.js';

/** One line of a list of people, as it was written. */
export interface ListedPerson {
  /** In the file; its header is the first. */
  readonly line: number;
  readonly email: string;
  readonly name: string;
  readonly role: string;
}

const MOST_ROWS = 5_000;
const DELIMITERS = [',', ';', '\t'] as const;
const COLUMNS = ['email', 'name', 'role'] as const;

const Rows = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }));

/**
 * A list as spreadsheets save it: UTF-8 with or without a mark, or as Windows writes Western European; commas, semicolons
 * or tabs. The header says which column is which.
 */
export function readPeople(bytes: Buffer): readonly ListedPerson[] {
  const text = decodeText(bytes).replace(/^\uFEFF/, '');
  const [header, ...rows] = rowsIn(text);
  const titles = header?.record.map((title) => title.trim().toLowerCase()) ?? [];
  if (!titles.includes('email')) {
    throw badRequest('The first line of the file must name its columns: email,name,role.', 'file');
  }
  if (rows.length > MOST_ROWS) {
    throw badRequest(
      `A file may hold ${String(MOST_ROWS)} people, and this has ${String(rows.length)}. Split it.`,
      'file',
    );
  }
  const place = Object.fromEntries(COLUMNS.map((title) => [title, titles.indexOf(title)]));
  const cell = (record: readonly string[], title: (typeof COLUMNS)[number]) =>
    (record[place[title] ?? -1] ?? '').normalize('NFC').trim();
  return rows.map(({ record, info }) => ({
    line: info.lines,
    email: cell(record, 'email').toLowerCase(),
    name: cell(record, 'name'),
    role: cell(record, 'role').toLowerCase(),
  }));
}

function rowsIn(text: string): z.output<typeof Rows> {
  const [header = ''] = text.split(/\r?\n/, 1);
  const delimiter = DELIMITERS.find((sign) => header.includes(sign)) ?? ',';
  try {
    return Rows.parse(
      parse(text, {
        ...{ delimiter, info: true, trim: true, skip_empty_lines: true },
        ...{ relax_column_count: true, skip_records_with_empty_values: true },
      }),
    );
  } catch {
    throw badRequest(
      'The file cannot be read as CSV. Save it as "CSV UTF-8" and look for a quotation mark that is not closed.',
      'file',
    );
  }
}
