import { AppError } from '../core/errors.js';
import type { FileStore } from '../core/file-store.js';

/** Why somebody's file cannot be opened, in words for them; undefined when it can. */
export type FileFault = (ownerId: number, path: string) => Promise<string | undefined>;

export function createFileFault(files: FileStore): FileFault {
  return async (ownerId, path) => {
    try {
      const file = await files.ofOwner(ownerId).open(path);
      await file.close();
      return undefined;
    } catch (fault) {
      return fault instanceof AppError ? fault.message : `File ${path} cannot be opened.`;
    }
  };
}
