/** The same `fetch`, whose every request ends with this signal at the latest, also where the caller gives none. */
export function fetchUntil(fetch: typeof globalThis.fetch, signal: AbortSignal): typeof globalThis.fetch {
  return (input, init = {}) => fetch(input, { ...init, signal: whicheverFirst(signal, init.signal) });
}

/** Own controller: what `AbortSignal.any` makes can be collected before it fires. */
function whicheverFirst(one: AbortSignal, other: AbortSignal | null | undefined): AbortSignal {
  if (!other || other === one) return one;
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
