import { isFault } from '../api/fault.ts';
import type { ToolEntry } from '../assistants/assistants-api.ts';
import type { Messages } from '../i18n/en.ts';
import type { BuilderApi } from './builder-api.ts';
import type { EntryFault } from './tool-entries.ts';

const PAUSE_MS = 500;

/** `where: what is wrong`, as places in an entry. */
export function placed(faults: readonly string[]): readonly (readonly [string, string])[] {
  return faults.map((fault) => {
    const at = fault.indexOf(': ');
    if (at < 0) return ['', fault] as const;
    const path = fault.slice(0, at);
    return [path === 'body' ? '' : `config.${path}`, fault.slice(at + 2)] as const;
  });
}

export function inWords(
  { code, bound }: EntryFault,
  { builder: { wrong } }: Messages,
  number: (value: number) => string,
): string {
  return wrong[code](bound === undefined ? '' : number(bound));
}

/** What the service says of a configuration that looks right from here: rules that no schema tells. */
export function createConfigCheck(builder: BuilderApi) {
  let found = $state.raw<readonly (readonly [string, string])[]>([]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let turn = 0;

  async function ask({ type, config = {} }: ToolEntry): Promise<void> {
    const mine = turn;
    try {
      const faults = await builder.faultsOfConfig(type, config);
      if (mine === turn) found = placed(faults);
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
