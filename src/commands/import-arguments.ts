import { parseArgs } from 'node:util';

export interface ImportArguments {
  readonly file: string;
  readonly dryRun: boolean;
  readonly prefix: string | undefined;
  /** Where to write the whole report, as JSON. */
  readonly report: string | undefined;
}

export const USAGE = `Imports an existing LAMB installation.

  npm run import:lamb -- path/to/lamb_v4.db [--dry-run] [--prefix LAMB_] [--report report.json]

  --dry-run   does everything, shows the report, and keeps nothing
  --prefix    which installation, when one file holds several
  --report    writes the report as JSON, with every assistant that has another number here
`;

export type ReadArguments =
  | { readonly ok: true; readonly arguments: ImportArguments }
  | { readonly ok: false; readonly help: boolean; readonly fault: string };

export function readArguments(given: readonly string[]): ReadArguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...given],
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean', default: false },
        prefix: { type: 'string' },
        report: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return { ok: false, help: true, fault: '' };
    const [file, ...more] = positionals;
    if (file === undefined) return refused('Which file? Give the path of LAMB’s database.');
    if (more.length > 0) return refused(`One file at a time; "${more.join('", "')}" is too much.`);
    const { 'dry-run': dryRun, prefix, report } = values;
    return { ok: true, arguments: { file, dryRun, prefix, report } };
  } catch (fault) {
    return refused(fault instanceof Error ? fault.message : 'The arguments cannot be read.');
  }
}

const refused = (fault: string): ReadArguments => ({ ok: false, help: false, fault });
