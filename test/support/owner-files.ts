import { readFile as readFromDisk } from 'node:fs/promises';
import { join } from 'node:path';
import { createFileStore } from '../../db/files/store.js';
import type { Service } from './service.js';

/** Puts a file into the administrator's private store, as an upload would. */
export async function giveFile(service: Service, path: string, text: string): Promise<void> {
  const { json } = await service.request<{ id: number }>('/lamb/v1/me');
  await createFileStore(join(service.dataDir, 'files')).ofOwner(json.id).write(path, Buffer.from(text));
}

/** A file of the administrator's as it stands on disk. */
export async function readFile(service: Service, path: string): Promise<string> {
  const { json } = await service.request<{ id: number }>('/lamb/v1/me');
  return readFileOf(service, json, path);
}

/** Somebody's file as it stands on disk. */
export function readFileOf(
  { dataDir }: Service,
  { id }: { readonly id: number },
  path: string,
): Promise<string> {
  return readFromDisk(join(dataDir, 'files', String(id), path), 'utf8');
}
