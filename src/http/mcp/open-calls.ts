import { AppError } from '../../core/errors.js';

/** One call being answered, which its client may cancel by name from another request. */
export interface OpenCall {
  readonly signal: AbortSignal;
  over(): void;
}

/** Who may cancel a call: whoever made it, with the same credential and in the same session. */
export interface CallName {
  readonly credentialId: string;
  /** What the client was told at its start; without it a call cannot be told from another client's of the same number. */
  readonly sessionId: string | undefined;
  readonly requestId: string | number;
}

export interface OpenCalls {
  begin(name: CallName, parent: AbortSignal): OpenCall;
  cancel(name: CallName): void;
}

const cancelled = () =>
  new AppError('The client cancelled the call.', { status: 499, type: 'api_error', code: 'client_closed' });

export function createOpenCalls(): OpenCalls {
  const open = new Map<string, AbortController>();

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
      if (key !== undefined) open.get(key)?.abort(cancelled());
    },
  };
}

function keyOf({ credentialId, sessionId, requestId }: CallName): string | undefined {
  return sessionId === undefined ? undefined : JSON.stringify([credentialId, sessionId, requestId]);
}
