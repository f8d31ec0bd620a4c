import { parseArgs } from 'node:util';

export interface ImportArguments {
  readonly file: string;
  readonly dryRun: boolean;
  readonly prefix: string | undefined;
}

export const USAGE = `Imports an existing LAMB installation.

  npm run import:lamb -- path/to/lamb_v4.db [--dry-run] [--prefix LAMB_]

  --dry-run   does everything, shows the report, and keeps nothing
  --prefix    which installation, when one file holds several
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
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return { ok: false, help: true, fault: '' };
    const [file, ...more] = positionals;
    if (file === undefined) return refused('Which file? Give the path of LAMB’s database.');
    if (more.length > 0) return refused(`One file at a time; "${more.join('", "')}" is too much.`);
    return { ok: true, arguments: { file, dryRun: values['dry-run'], prefix: values.prefix } };
  } catch (fault) {
    return refused(fault instanceof Error ? fault.message : 'The arguments cannot be read.');
  }
}

const refused = (fault: string): ReadArguments => ({ ok: false, help: false, fault });
