import { join } from 'node:path';
import { createFileStore } from '../../db/stores/files.js';
import type { Service } from './service.js';

/** Puts a file into the administrator's private store, as an upload would. */
export async function giveFile(service: Service, path: string, text: string): Promise<void> {
  const { json } = await service.request<{ id: number }>('/lamb/v1/me');
  await createFileStore(join(service.dataDir, 'files')).ofOwner(json.id).write(path, Buffer.from(text));
}
