import type { Request, Response } from 'express';
import type { IncomingFile, OwnerFiles } from '../../core/file-store.js';
import { receiveForm } from './upload.js';

export interface Upload {
  readonly file: IncomingFile;
  /** As the client calls it, without folders. */
  readonly name: string;
  /** The other fields of the form. */
  readonly fields: unknown;
}

/** Reads a form with one file in the field `file`, which goes to the store as it comes. */
export async function receiveUpload(
  req: Request,
  res: Response,
  { files, limitBytes }: { readonly files: Pick<OwnerFiles, 'receive'>; readonly limitBytes: number },
): Promise<Upload> {
  const { files: received, fields } = await receiveForm(req, res, {
    limit: { bytes: limitBytes, setting: 'BODY_LIMIT' },
    mostFiles: 1,
    wanted: '"file" and "path"',
    take: (bytes) => files.receive(bytes),
    undo: (file) => file.discard(),
  });
  const [{ name, taken: file }] = received;
  return { file, name, fields };
}
