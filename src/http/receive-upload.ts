import type { Request, Response } from 'express';
import multer, { MulterError, type StorageEngine } from 'multer';
import { badRequest, tooLarge, unsupportedMediaType } from '../core/errors.js';
import type { IncomingFile, OwnerFiles } from '../core/file-store.js';

export interface Upload {
  readonly file: IncomingFile;
  /** As the client calls it, without folders. */
  readonly name: string;
  /** The other fields of the form. */
  readonly fields: unknown;
}

/** What a form takes beside its file: boundaries, headers and the other fields. */
const FORM_ROOM = 64 * 1024;
const LONGEST_FIELD = 8 * 1024;
const MOST_FIELDS = 10;

/** Reads a form with one file in the field `file`, which goes to the store as it comes. */
export async function receiveUpload(
  req: Request,
  res: Response,
  { files, limitBytes }: { readonly files: Pick<OwnerFiles, 'receive'>; readonly limitBytes: number },
): Promise<Upload> {
  if (!req.is('multipart/form-data')) {
    throw unsupportedMediaType('Send the file as a form, with "Content-Type: multipart/form-data".');
  }
  if (Number(req.headers['content-length'] ?? 0) > limitBytes + FORM_ROOM) throw larger(limitBytes);

  const desk = createDesk(files);
  const limits = {
    fileSize: limitBytes,
    files: 1,
    fields: MOST_FIELDS,
    fieldSize: LONGEST_FIELD,
    fieldNestingDepth: 0,
  };
  // Names of files are UTF-8 in every client of today, though no header says so.
  const form = multer({ storage: desk.engine, limits, defParamCharset: 'utf8' }).single('file');
  await new Promise<void>((resolve, reject) => {
    form(req, res, (fault: unknown) => {
      if (fault === undefined) resolve();
      else reject(desk.fault() ?? inOurWords(fault, limitBytes));
    });
  });

  const file = desk.received();
  if (!file) throw badRequest('The form has no file. Send it in the field "file".', 'file');
  return { file, name: req.file?.originalname ?? '', fields: req.body };
}

/** Takes in what multer hands over, and remembers what went wrong with it on our side. */
function createDesk(files: Pick<OwnerFiles, 'receive'>) {
  let received: IncomingFile | undefined;
  let fault: Error | undefined;
  const engine: StorageEngine = {
    _handleFile(_req, { stream }, done) {
      files.receive(stream).then(
        (file) => {
          received = file;
          done(null, { size: file.size });
        },
        (thrown: unknown) => {
          // A stream that was cut off is the client's doing, and multer says so itself.
          if (!stream.errored)
            fault = thrown instanceof Error ? thrown : new Error('The file was not stored.');
          done(thrown);
        },
      );
    },
    _removeFile(_req, _file, done) {
      (received?.discard() ?? Promise.resolve()).then(() => {
        done(null);
      }, done);
    },
  };
  return { engine, received: () => received, fault: () => fault };
}

function inOurWords(fault: unknown, limitBytes: number): Error {
  if (!(fault instanceof MulterError))
    return badRequest('The form could not be read: it is damaged or incomplete.');
  switch (fault.code) {
    case 'LIMIT_FILE_SIZE':
      return larger(limitBytes);
    case 'LIMIT_FILE_COUNT':
    case 'LIMIT_UNEXPECTED_FILE':
      return badRequest('Send one file at a time, in the field "file".', 'file');
    default:
      return badRequest(
        'The form has fields that are too many, too long or not known here. Send "file" and "path".',
      );
  }
}

function larger(limitBytes: number): Error {
  return tooLarge(`The file is larger than the ${String(limitBytes)} bytes this server takes (BODY_LIMIT).`);
}
