import type { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import multer, { MulterError, type StorageEngine } from 'multer';
import { safeLabel } from '../../core/base/text.js';
import { AppError, badRequest, tooLarge, unsupportedMediaType } from '../../core/errors.js';
import type { IncomingFile, OwnerFiles } from '../../core/files.js';

export interface FormRules<Taken> {
  /** Of each file, and the setting it comes from. */
  readonly limit: { readonly bytes: number; readonly setting: string };
  readonly mostFiles: number;
  /** What the form may have, in words. */
  readonly wanted: string;
  /** Refuses, by throwing, a file that is not worth reading. */
  readonly check?: (name: string) => void;
  readonly take: (bytes: Readable) => Promise<Taken>;
  /** Called for every file that was taken when the form as a whole is refused. */
  readonly undo: (taken: Taken) => Promise<void>;
}

export interface ReceivedFile<Taken> {
  /** As the client calls it, without folders. */
  readonly name: string;
  readonly taken: Taken;
}

export interface ReceivedForm<Taken> {
  readonly files: readonly [ReceivedFile<Taken>, ...ReceivedFile<Taken>[]];
  /** The other fields of the form. */
  readonly fields: unknown;
}

/** What a form takes beside its files: boundaries, headers and the other fields. */
const FORM_ROOM = 64 * 1024;
const LONGEST_FIELD = 8 * 1024;
const MOST_FIELDS = 10;

/** Reads a form with files in the field `file`, which are taken as they come: all of them, or none. */
export async function receiveForm<Taken>(
  req: Request,
  res: Response,
  rules: FormRules<Taken>,
): Promise<ReceivedForm<Taken>> {
  const { limit, mostFiles } = rules;
  if (!req.is('multipart/form-data')) {
    throw unsupportedMediaType('Send the file as a form, with "Content-Type: multipart/form-data".');
  }
  if (Number(req.headers['content-length'] ?? 0) > mostFiles * limit.bytes + FORM_ROOM)
    throw larger(mostFiles === 1 ? 'The file' : 'The form', { ...limit, bytes: mostFiles * limit.bytes });

  const receiver = createReceiver(rules);
  const limits = {
    fileSize: limit.bytes,
    files: mostFiles,
    fields: MOST_FIELDS,
    fieldSize: LONGEST_FIELD,
    fieldNestingDepth: 0,
  };
  // Names of files are UTF-8 in every client of today, though no header says so.
  const form = multer({
    storage: receiver.storage,
    fileFilter: receiver.fileFilter,
    limits,
    defParamCharset: 'utf8',
  }).array('file', mostFiles);
  const fault = await new Promise<unknown>((resolve) => {
    form(req, res, resolve);
  });
  if (fault !== undefined) {
    // A form that broke off is told of before its last file is done with.
    await receiver.settled();
    // Where a limit of the form was passed, that is the reason, whatever it has made of the file.
    throw fault instanceof MulterError
      ? inOurWords(fault, rules)
      : (receiver.fault() ?? inOurWords(fault, rules));
  }

  const [first, ...more] = ((req.files ?? []) as Received<Taken>[]).map(({ originalname, taken }) => ({
    name: originalname,
    taken,
  }));
  if (!first) throw badRequest('The form has no file. Send it in the field "file".', 'file');
  return { files: [first, ...more], fields: req.body };
}

type Received<Taken> = Express.Multer.File & { readonly taken: Taken };

/** Takes in what multer hands over, and remembers what went wrong with it on our side. */
function createReceiver<Taken>({ check, take, undo }: FormRules<Taken>) {
  let fault: Error | undefined;
  const takings: Promise<unknown>[] = [];
  const storage: StorageEngine = {
    _handleFile(_req, { stream }, done) {
      const taking = take(stream);
      takings.push(taking);
      taking.then(
        (taken) => {
          done(null, { taken } as Partial<Received<Taken>>);
        },
        (thrown: unknown) => {
          // A stream that was cut off is the client's doing, and multer says so itself; a refusal of ours cuts it off too.
          if (thrown instanceof AppError || !stream.errored)
            fault = thrown instanceof Error ? thrown : new Error('The file was not stored.');
          done(thrown);
        },
      );
    },
    _removeFile(_req, file, done) {
      undo((file as Received<Taken>).taken).then(() => {
        done(null);
      }, done);
    },
  };
  const fileFilter: multer.Options['fileFilter'] = (_req, { originalname }, decide) => {
    try {
      check?.(originalname);
      decide(null, true);
    } catch (thrown) {
      fault = thrown as Error;
      decide(fault);
    }
  };
  return { storage, fileFilter, fault: () => fault, settled: () => Promise.allSettled(takings) };
}

function inOurWords(
  fault: unknown,
  { limit, mostFiles, wanted }: Pick<FormRules<unknown>, 'limit' | 'mostFiles' | 'wanted'>,
): Error {
  if (!(fault instanceof MulterError))
    return badRequest('The form could not be read: it is damaged or incomplete.');
  switch (fault.code) {
    case 'LIMIT_FILE_SIZE':
      return larger(`The file "${safeLabel(nameIn(fault))}"`, limit);
    case 'LIMIT_FILE_COUNT':
    case 'LIMIT_UNEXPECTED_FILE':
      return badRequest(
        mostFiles === 1
          ? 'Send one file at a time, in the field "file".'
          : `Send at most ${String(mostFiles)} files at a time, each in a field "file".`,
        'file',
      );
    default:
      return badRequest(`The form has fields that are too many, too long or not known here. Send ${wanted}.`);
  }
}

/** multer 2 sets `filename` on its errors; @types/multer does not have it yet. */
function nameIn(fault: MulterError & { readonly filename?: string }): string {
  return fault.filename ?? '';
}

function larger(what: string, { bytes, setting }: FormRules<unknown>['limit']): Error {
  const message = `${what} is larger than the ${String(bytes)} bytes this server takes (${setting}).`;
  return tooLarge(message, [{ path: 'file', message, code: 'too_large', bound: bytes }]);
}

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
