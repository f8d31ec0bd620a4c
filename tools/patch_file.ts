import { FILE_HEADERS_ONLY, formatPatch, structuredPatch, type StructuredPatch } from 'diff';
import { z } from 'zod';
import { badRequest, conflict } from '../src/core/errors.js';
import { filePathFault } from '../src/core/files.js';
import { defineTool } from '../src/core/tool.js';
import { patchLines, rangeOf, type LineChange } from '../src/tool-kit/patch-lines.js';

/** As a folder: all of the owner's files. It has to be said. */
const WHOLE_STORE = '.';
const LARGEST_FILE = 5 * 2 ** 20;
/** Beyond so many lines that differ a diff is no longer searched for the shortest form. */
const LONGEST_SEARCH = 500;

const path = z.string().max(1024).superRefine(mustNameAFile);
const folder = z
  .string()
  .max(1024)
  .superRefine((value, found) => {
    if (value !== WHOLE_STORE) mustNameAFile(value, found);
  });

const Change = z.strictObject({
  line_start: z.number().int().min(1).describe('First line, counted from 1 in the file as it is now'),
  line_end: z
    .number()
    .int()
    .min(0)
    .describe('Last line, inclusive; line_start - 1 inserts before line_start and replaces nothing'),
  old_content: z.string().default('').describe('Those lines exactly as they are now; empty for an insertion'),
  new_content: z
    .string()
    .describe('The lines to put there; empty to delete; a line break alone is an empty line'),
  reason: z.string().max(500).default('').describe('Why, in a few words for the user'),
});

export default defineTool({
  name: 'patch_file',
  title: 'Change files',
  description: "Changes lines of text files in one folder of the author's private files.",
  category: 'files',
  version: '1.0.0',
  danger: 'write',
  repeatable: true,
  needs: ['single_file_rag'],

  config: z.object({
    folder: folder
      .describe('The folder of your files in which files may be changed; "." for all of them')
      .meta({ 'x-resource': 'folder' }),
  }),
  args: z.object({
    file_path: path.describe('The file, by its path in the folder'),
    changes: z.array(Change).min(1).max(100).describe('All are made, or none'),
  }),

  asFunction: ({ folder }) => ({
    name: 'patch_file',
    description:
      `Changes lines of a text file in ${folder === WHOLE_STORE ? "the author's files" : `the folder ${folder}`}. ` +
      'Line numbers are those of the file before the patch, for all changes. Answers with a unified diff.',
  }),
  touches: (args, { folder }) => (args ? [{ kind: 'file', id: pathIn(folder, args.file_path) }] : []),
  subjectOf: ({ file_path }, { folder }) => pathIn(folder, file_path),
  status: ({ file_path }, { folder }) => `changing file ${pathIn(folder, file_path)}`,

  async run({ file_path, changes }, { folder }, ctx) {
    const file = pathIn(folder, file_path);
    const seen = { before: '', after: '' };
    const edit = (bytes: Uint8Array) => {
      seen.before = textOf(bytes);
      seen.after = patched(seen.before, changes);
      return new TextEncoder().encode(seen.after);
    };
    await ctx.files.change(file, edit, { within: folder, maxBytes: LARGEST_FILE, signal: ctx.signal });
    for (const [i, change] of changes.entries()) {
      const why = change.reason.trim() === '' ? '' : `: ${change.reason}`;
      ctx.progress(`patched ${rangeOf(change)}${why}`, ((i + 1) / changes.length) * 100, {
        what: 'changed_lines',
        subject: `${numbersOf(change)}${why}`,
      });
    }
    return { content: unifiedDiff(file, seen.before, seen.after) };
  },
});

/** "3" or "3–5", in any language. */
function numbersOf({ line_start, line_end }: LineChange): string {
  return line_end > line_start ? `${String(line_start)}–${String(line_end)}` : String(line_start);
}

/** A path that begins with the folder is meant from the top, so that a file has one meaning however it is named. */
function pathIn(folder: string, path: string): string {
  const [start, rest] = [`${folder}/`.normalize('NFC'), path.normalize('NFC')];
  return folder === WHOLE_STORE || rest.startsWith(start) ? rest : start + rest;
}

function mustNameAFile(path: string, found: z.RefinementCtx): void {
  const fault = filePathFault(path.normalize('NFC'));
  if (fault !== undefined) found.addIssue({ code: 'custom', message: fault });
}

/** With its byte order mark, so that encoding it again gives the very same bytes. */
function textOf(bytes: Uint8Array): string {
  const noText = badRequest('The file is not UTF-8 text, so it has no lines to change. Nothing was changed.');
  if (bytes.includes(0)) throw noText;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw noText;
  }
}

function patched(text: string, changes: readonly LineChange[]): string {
  const outcome = patchLines(text, changes);
  if (outcome.ok) return outcome.text;
  const message = `${outcome.reason} Nothing was changed.`;
  throw outcome.stale ? conflict(message) : badRequest(message);
}

function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return 'The file was like this already; nothing was changed.';
  const options = { maxEditLength: LONGEST_SEARCH };
  const found = structuredPatch(path, path, before, after, undefined, undefined, options);
  return formatPatch(found ?? oneHunk(path, before, after), FILE_HEADERS_ONLY);
}

/** Everything from the first line that differs to the last, without a search for what is common in between. */
function oneHunk(path: string, before: string, after: string): StructuredPatch {
  const old = linesWithEnds(before);
  const now = linesWithEnds(after);
  const same = old.findIndex((line, i) => line !== now[i]);
  const start = same === -1 ? old.length : same;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  const shown = (sign: string) => (line: string) =>
    line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, '\\ No newline at end of file'];
  const lines = [...removed.flatMap(shown('-')), ...added.flatMap(shown('+'))];
  const hunk = {
    oldStart: start + 1,
    oldLines: removed.length,
    newStart: start + 1,
    newLines: added.length,
    lines,
  };
  return { oldFileName: path, newFileName: path, oldHeader: undefined, newHeader: undefined, hunks: [hunk] };
}

function linesWithEnds(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)(?!$)/);
}
