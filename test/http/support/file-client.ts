import { request as ask } from 'node:http';
import { join } from 'node:path';
import { readdir } from 'node:fs/promises';
import type { Answer, CallOptions, Service } from '../../support/service.js';

export interface FileRecord {
  readonly path: string;
  readonly size: number;
  readonly type: string;
  readonly updated_at: string;
}

export interface FileList {
  readonly data: readonly FileRecord[];
  readonly next_cursor: string | null;
}

export function aForm(
  content: string | Uint8Array<ArrayBuffer>,
  path?: string,
  name = 'upload.txt',
): FormData {
  const form = new FormData();
  form.set('file', new Blob([content]), name);
  if (path !== undefined) form.set('path', path);
  return form;
}

export function upload(
  service: Pick<Service, 'request'>,
  path: string,
  content: string | Uint8Array<ArrayBuffer>,
  options: CallOptions = {},
): Promise<Answer<FileRecord>> {
  return service.request<FileRecord>('/lamb/v1/files', { ...options, body: aForm(content, path) });
}

/** Sends a path as it stands, with no client between that tidies it up. */
export function sendRaw(
  { url, adminKey }: Pick<Service, 'url' | 'adminKey'>,
  method: string,
  path: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${adminKey}` };
    const request = ask({ hostname, port, method, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text });
      });
    });
    request.on('error', reject).end();
  });
}

/** Everything in the data folder of a service, for finding out what an attempt has left or touched. */
export async function everythingIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
