import { type FieldFault, isFault } from '../api/fault.ts';
import type { ToolEntry } from '../assistants/assistants-api.ts';
import type { Messages } from '../i18n/en.ts';
import type { BuilderApi } from './builder-api.ts';
import type { EntryFault } from './tool-entries.ts';

const PAUSE_MS = 500;

export function inWords(
  { code, bound }: EntryFault,
  { builder: { wrong } }: Messages,
  number: (value: number) => string,
): string {
  return wrong[code](bound === undefined ? '' : number(bound));
}

/** Its place in an entry; what is wrong with the whole has none. */
const placeOf = ({ path }: FieldFault): string => (path === '' ? '' : `config.${path}`);

/** What the service says of a configuration that looks right from here: rules that no schema tells. */
export function createConfigCheck(builder: BuilderApi) {
  let found = $state.raw<readonly FieldFault[]>([]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let turn = 0;

  async function ask({ type, config = {} }: ToolEntry): Promise<void> {
    const mine = turn;
    try {
      const faults = await builder.faultsOfConfig(type, config);
      if (mine === turn) found = faults.map((fault) => ({ ...fault, path: placeOf(fault) }));
    } catch (thrown) {
      // A tool that is not there is said elsewhere; all is said once more when it is saved.
      if (!isFault(thrown)) throw thrown;
    }
  }

  return {
    get found() {
      return found;
    },
    soon(entry: ToolEntry) {
      clearTimeout(timer);
      timer = setTimeout(() => void ask(entry), PAUSE_MS);
    },
    stop() {
      turn += 1;
      clearTimeout(timer);
      if (found.length > 0) found = [];
    },
  };
}
