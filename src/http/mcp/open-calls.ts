import { AppError } from '../../core/errors.js';
import type { CallName, Peers } from '../middleware/peers.js';

/** One call being answered, which its client may cancel by name from another request. */
export interface OpenCall {
  readonly signal: AbortSignal;
  over(): void;
}

export interface OpenCalls {
  begin(name: CallName, parent: AbortSignal): OpenCall;
  cancel(name: CallName): void;
}

const cancelled = () =>
  new AppError('The client cancelled the call.', { status: 499, type: 'api_error', code: 'client_closed' });

/** A cancellation may reach another process than the call did. */
export function createOpenCalls(peers: Pick<Peers, 'tell' | 'onMessage'>): OpenCalls {
  const open = new Map<string, AbortController>();
  const end = (name: CallName) => {
    const call = open.get(keyOf(name) ?? '');
    call?.abort(cancelled());
    return call !== undefined;
  };
  peers.onMessage(({ cancelledCall }) => end(cancelledCall));

  return {
    begin(name, parent) {
      const controller = new AbortController();
      const onParent = () => {
        controller.abort(parent.reason);
      };
      if (parent.aborted) onParent();
      else parent.addEventListener('abort', onParent, { once: true });
      const key = keyOf(name);
      if (key !== undefined) open.set(key, controller);
      return {
        signal: controller.signal,
        over() {
          parent.removeEventListener('abort', onParent);
          if (key !== undefined && open.get(key) === controller) open.delete(key);
        },
      };
    },
    cancel(name) {
      if (keyOf(name) !== undefined && !end(name)) peers.tell({ cancelledCall: name });
    },
  };
}

function keyOf({ credentialId, sessionId, requestId }: CallName): string | undefined {
  return sessionId === undefined ? undefined : JSON.stringify([credentialId, sessionId, requestId]);
}
