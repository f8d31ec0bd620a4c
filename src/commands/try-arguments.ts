import { parseArgs } from 'node:util';

export interface TryArguments {
  readonly tool: string;
  /** As typed: whether it is JSON, and fits, is for the gate to say. */
  readonly args: string;
  readonly config: string;
  readonly functionName: string | undefined;
  readonly as: string | undefined;
  readonly approve: boolean;
}

export const USAGE = `Runs one tool, through the same gate as an assistant's.

  npm run try:tool -- <name> ['<arguments as JSON>'] [--config '<JSON>'] [--as email]

  npm run try:tool -- weather '{"city": "Bilbao"}' --config '{"units": "imperial"}'

  --config     what an assistant's author would set
  --function   which one, of a tool that has several
  --as         by whose rights, with whose files; the administrator's unless given
  --approve    lets a tool that writes or acts outside do so, without asking
`;

export type ReadTryArguments =
  | { readonly ok: true; readonly arguments: TryArguments }
  | { readonly ok: false; readonly help: boolean; readonly fault: string };

export function readTryArguments(given: readonly string[]): ReadTryArguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...given],
      allowPositionals: true,
      options: {
        config: { type: 'string', default: '{}' },
        function: { type: 'string' },
        as: { type: 'string' },
        approve: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return { ok: false, help: true, fault: '' };
    // Without a name it is like an unknown one: the answer lists what there is.
    const [tool = '', args = '{}', ...more] = positionals;
    if (more.length > 0) return refused(`One tool and its arguments; "${more.join('", "')}" is too much.`);
    const { config, as, approve } = values;
    return { ok: true, arguments: { tool, args, config, functionName: values.function, as, approve } };
  } catch (fault) {
    return refused(fault instanceof Error ? fault.message : 'The arguments cannot be read.');
  }
}

const refused = (fault: string): ReadTryArguments => ({ ok: false, help: false, fault });
