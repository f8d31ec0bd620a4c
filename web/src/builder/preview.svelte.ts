import { isAborted } from '../api/fault.ts';
import type { Preview } from './builder-api.ts';

const PAUSE_MS = 700;

/** The prompt as it would be, once nobody has changed anything for a moment. Only the last question counts. */
export function createPreview(ask: (signal: AbortSignal) => Promise<Preview>) {
  let value = $state.raw<Preview>();
  let fault = $state.raw<unknown>();
  let isBusy = $state(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = new AbortController();

  function stop(): void {
    clearTimeout(timer);
    asking.abort();
  }

  async function look(): Promise<void> {
    stop();
    const mine = new AbortController();
    asking = mine;
    isBusy = true;
    try {
      const seen = await ask(mine.signal);
      if (asking !== mine) return;
      value = seen;
      fault = undefined;
    } catch (thrown) {
      if (asking !== mine || isAborted(thrown)) return;
      fault = thrown;
    }
    isBusy = false;
  }

  return {
    get value() {
      return value;
    },
    get fault() {
      return fault;
    },
    get isBusy() {
      return isBusy;
    },
    soon() {
      clearTimeout(timer);
      timer = setTimeout(() => void look(), PAUSE_MS);
    },
    look,
    stop,
  };
}
