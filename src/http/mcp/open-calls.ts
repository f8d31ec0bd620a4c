import { createHash } from 'node:crypto';
import { AppError } from '../../core/errors.js';
import type { Peers } from '../peers.js';

/** Who may cancel a call: whoever made it, with the same credential and in the same session. */
export interface CallName {
  readonly credentialId: string;
  /** What the client was told at its start; without it a call cannot be told from another client's of the same number. */
  readonly sessionId: string | undefined;
  readonly requestId: string | number;
}

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
  const end = (key: string) => {
    const call = open.get(key);
    call?.abort(cancelled());
    return call !== undefined;
  };
  peers.onMessage((news) => {
    if ('cancelledCall' in news) end(news.cancelledCall);
  });

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
      const key = keyOf(name);
      if (key !== undefined && !end(key)) peers.tell({ cancelledCall: key });
    },
  };
}

function keyOf({ credentialId, sessionId, requestId }: CallName): string | undefined {
  if (sessionId === undefined) return undefined;
  const name = JSON.stringify([credentialId, sessionId, requestId]);
  return createHash('sha256').update(name).digest('base64url');
}
