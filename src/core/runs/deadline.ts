/** A signal that ends with its parent or when its time is up, whichever comes first. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** True once the time, rather than the parent, ended it. */
  expired(): boolean;
  /** Must be called when the work is over: it frees the timer and the parent's listener. */
  dispose(): void;
}

/** A signal whose holder may end it too, when the time is up. */
export interface Endable {
  readonly signal: AbortSignal;
  end(reason: Error): void;
}

/** Ends what has a controller already, rather than make one of its own. */
export function setDeadline({ signal, end }: Endable, ms: number): Deadline {
  let expired = false;
  const timer = setTimeout(() => {
    if (signal.aborted) return;
    expired = true;
    end(new Error('Time is up.'));
  }, ms);
  return {
    signal,
    expired: () => expired,
    dispose() {
      clearTimeout(timer);
    },
  };
}

/** The parents of deadlines that are still followed. */
const followed = new WeakMap<AbortSignal, AbortSignal>();

/** Own timer and controller: combined with `AbortSignal.any`, a timeout signal can be collected before it fires. */
export function createDeadline(parent: AbortSignal, ms: number): Deadline {
  const controller = new AbortController();
  let expired = false;
  const timer = setTimeout(() => {
    expired = true;
    controller.abort(new Error('Time is up.'));
  }, ms);
  const onParent = () => {
    clearTimeout(timer);
    controller.abort(parent.reason);
  };
  if (parent.aborted) onParent();
  else parent.addEventListener('abort', onParent, { once: true });
  followed.set(controller.signal, parent);

  return {
    signal: controller.signal,
    expired: () => expired,
    dispose() {
      clearTimeout(timer);
      followed.delete(controller.signal);
      parent.removeEventListener('abort', onParent);
    },
  };
}

/** The same `fetch`, whose every request ends with this signal at the latest, also where the caller gives none. */
export function fetchUntil(fetch: typeof globalThis.fetch, signal: AbortSignal): typeof globalThis.fetch {
  return (input, init = {}) => fetch(input, { ...init, signal: whicheverFirst(signal, init.signal) });
}

/** Own controller: what `AbortSignal.any` makes can be collected before it fires. */
function whicheverFirst(one: AbortSignal, other: AbortSignal | null | undefined): AbortSignal {
  if (!other || follows(one, other)) return one;
  // Nothing is added to the signal of a run for every request of every tool.
  if (follows(other, one)) return other;
  const first = new AbortController();
  for (const signal of [one, other]) {
    const follow = () => {
      first.abort(signal.reason);
    };
    if (signal.aborted) follow();
    else signal.addEventListener('abort', follow, { once: true, signal: first.signal });
  }
  return first.signal;
}

/** Whether it ends with the other at the latest: it is the same, or a deadline below it. */
function follows(signal: AbortSignal, other: AbortSignal): boolean {
  for (let at: AbortSignal | undefined = signal; at; at = followed.get(at)) if (at === other) return true;
  return false;
}
