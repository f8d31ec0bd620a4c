import { getEventListeners } from 'node:events';
import { expect } from 'chai';
import { createDeadline, fetchUntil } from '../../src/core/runs/deadline.js';

/** Never answers, and ends with its signal. */
const silent: typeof fetch = (_input, init) =>
  new Promise((_resolve, reject) => {
    const { signal } = init ?? {};
    const end = () => {
      reject(signal?.reason as Error);
    };
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
const answering: typeof fetch = () => Promise.resolve(new Response('x'));
const reasonOf = (request: Promise<unknown>) => request.catch((fault: unknown) => fault);

describe('a request of a tool', () => {
  it('ends with the run, with the call and with the tool’s own signal, whichever is first', async () => {
    for (const which of ['run', 'call', 'own'] as const) {
      const [run, own] = [new AbortController(), new AbortController()];
      const call = createDeadline(run.signal, which === 'call' ? 1 : 60_000);
      const fetchOfCall = fetchUntil(fetchUntil(silent, run.signal), call.signal);

      const request = reasonOf(fetchOfCall('https://example.org', { signal: own.signal }));
      if (which === 'run') run.abort(new Error('the run'));
      if (which === 'own') own.abort(new Error('the tool'));

      const said = { run: 'the run', call: 'Time is up.', own: 'the tool' }[which];
      expect(await request).to.have.property('message', said);
      call.dispose();
    }
  });

  it('leaves nothing behind at the run, however many there are', async () => {
    const run = new AbortController();
    for (let calls = 0; calls < 20; calls += 1) {
      const call = createDeadline(run.signal, 60_000);
      const fetchOfCall = fetchUntil(fetchUntil(answering, run.signal), call.signal);
      await fetchOfCall('https://example.org', { signal: call.signal });
      await fetchOfCall('https://example.org');
      call.dispose();
    }

    expect(getEventListeners(run.signal, 'abort')).to.have.length(0);
  });

  it('ends with the run although its call was over before', async () => {
    const run = new AbortController();
    const call = createDeadline(run.signal, 60_000);
    call.dispose();

    const request = reasonOf(fetchUntil(silent, run.signal)('https://example.org', { signal: call.signal }));
    run.abort(new Error('the run'));

    expect(await request).to.have.property('message', 'the run');
  });
});
