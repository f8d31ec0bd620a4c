import type { Route } from './api-document.ts';

/** What somebody has filled in. */
export interface Given {
  readonly values: Readonly<Record<string, string>>;
  readonly key: string;
  /** JSON, as it was written. */
  readonly body: string | undefined;
  readonly files: FileList | undefined;
}

/** What is asked, for `fetch`. A parameter that was left empty is not sent. */
export function requestFor(
  { method, path, operation }: Route,
  { values, key, body, files }: Given,
  signal: AbortSignal,
): [string, RequestInit] {
  const filled = operation.parameters.flatMap((parameter) => {
    const value = values[parameter.name] ?? '';
    return value === '' ? [] : [{ ...parameter, value }];
  });
  const query = new URLSearchParams(
    filled.filter((one) => one.in === 'query').map(({ name, value }) => [name, value]),
  );
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const headers = new Headers(
    filled.filter((one) => one.in === 'header').map(({ name, value }) => [name, value]),
  );
  if (key !== '' && operation.security.length > 0) headers.set('authorization', `Bearer ${key}`);
  if (body !== undefined) headers.set('content-type', 'application/json');
  const sent = files && files.length > 0 ? formOf(files) : body;
  return [
    query.size === 0 ? address : `${address}?${query.toString()}`,
    { method, headers, signal, ...(sent === undefined ? {} : { body: sent }) },
  ];
}

function formOf(files: FileList): FormData {
  const form = new FormData();
  for (const file of files) form.append('file', file);
  return form;
}
