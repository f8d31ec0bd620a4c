import type { Api, CallOptions, Method, UploadOptions } from './api.ts';
import { faultIn, isAborted, noAnswer } from './fault.ts';

export type { Api, UploadOptions };

export interface Credential {
  token(): string | undefined;
  /** The service no longer takes it. */
  refused(): void;
  /** It is taken, but not for what was asked; whoever asked hears of it after this. */
  denied?(): Promise<void>;
}

/** What is not for them, or not there for them. */
const DENIALS = [403, 404];

export function createApi(credential: Credential): Api {
  const headers = (): Record<string, string> => {
    const token = credential.token();
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  };
  const hear = async (status: number) => {
    if (status === 401) credential.refused();
    if (DENIALS.includes(status)) await credential.denied?.();
  };

  async function call(method: string, path: string, options: CallOptions, body?: object): Promise<Response> {
    const { query, headers: more, ...init } = options;
    const response = await fetch(addressOf(path, query), {
      ...init,
      method,
      headers: { ...headers(), ...(body ? { 'content-type': typeOf(body) } : {}), ...more },
      ...(body ? { body: body instanceof Blob ? body : JSON.stringify(body) } : {}),
    }).catch((fault: unknown) => {
      throw isAborted(fault) ? (fault as DOMException) : noAnswer();
    });
    if (response.ok) return response;
    await hear(response.status);
    throw faultIn(response.status, await response.text(), response.headers.get('retry-after'));
  }

  return {
    get: async <Body>(path: string, options: CallOptions = {}) =>
      (await (await call('GET', path, options)).json()) as Body,
    async send<Body>(method: Method, path: string, body?: object, options: CallOptions = {}) {
      const text = await (await call(method, path, options, body)).text();
      return (text === '' ? undefined : JSON.parse(text)) as Body;
    },
    open: (path, body, options = {}) => call(body ? 'POST' : 'GET', path, options, body),
    async download(path) {
      const bytes = await (await call('GET', path, {})).blob();
      return new Blob([bytes], { type: 'application/octet-stream' });
    },
    upload: <Body>(path: string, files: readonly File[], options: UploadOptions) =>
      sendFiles(path, { files, headers: headers(), ...options }).then(async ({ status, text }) => {
        await hear(status);
        if (status < 200 || status > 299) throw faultIn(status, text);
        return JSON.parse(text) as Body;
      }),
  };
}

const typeOf = (body: object) => (body instanceof Blob ? body.type : 'application/json');

function addressOf(path: string, query: CallOptions['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search === '' ? path : `${path}?${search}`;
}

interface FilesToSend extends UploadOptions {
  readonly files: readonly File[];
  readonly headers: Readonly<Record<string, string>>;
}

/** By XMLHttpRequest, because `fetch` does not tell how much has been sent. */
function sendFiles(path: string, { files, headers, signal, onProgress, fields = {} }: FilesToSend) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      if (total > 0) onProgress(loaded / total);
    });
    request.addEventListener('load', () => {
      resolve({ status: request.status, text: request.responseText });
    });
    request.addEventListener('error', () => {
      reject(noAnswer());
    });
    request.addEventListener('abort', () => {
      reject(new DOMException('The upload was stopped.', 'AbortError'));
    });
    signal.addEventListener('abort', () => {
      request.abort();
    });
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    for (const file of files) form.append('file', file);
    request.send(form);
  });
}
