import type { Agent, Dispatcher } from 'undici';
import type { ModelTransport } from '../core/runs/run-context.js';
import { createIncomingBody } from './incoming-body.js';

const LARGEST_DISCARDED = 64 * 1024;

type Post = Parameters<ModelTransport['post']>[0];
type Answer = Awaited<ReturnType<ModelTransport['post']>>;

/** Kept-alive HTTP to the providers an administrator has set, without any kind of stream: they cost too much here. */
export function createModelTransport(dispatcher: Agent): ModelTransport {
  return {
    post: (request) =>
      new Promise((resolve, reject) => {
        const { origin, pathname, search } = new URL(request.url);
        const { headers, body } = request;
        const path = pathname + search;
        dispatcher.dispatch(
          { origin, path, method: 'POST', headers, body },
          createHandler(request, resolve, reject),
        );
      }),
  };
}

function createHandler(
  { signal }: Post,
  resolve: (answer: Answer) => void,
  reject: (fault: unknown) => void,
): Dispatcher.DispatchHandler {
  const body = createIncomingBody();
  const leave = () => {
    body.fail(signal.reason);
    reject(signal.reason);
  };
  const settled = () => {
    signal.removeEventListener('abort', leave);
  };
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });

  return {
    onRequestStart: (controller) => {
      body.comesFrom(controller);
    },
    onResponseStart(_controller, status, headers) {
      if (status < 200) return;
      resolve({
        status,
        header: (name) => {
          const value = headers[name];
          return Array.isArray(value) ? value[0] : value;
        },
        body,
        discard: () => body.discard(LARGEST_DISCARDED),
      });
    },
    onResponseData: (_controller, bytes) => {
      body.push(bytes);
    },
    onResponseEnd() {
      settled();
      body.end();
    },
    onResponseError(_controller, fault) {
      settled();
      body.fail(fault);
      reject(fault);
    },
  };
}
