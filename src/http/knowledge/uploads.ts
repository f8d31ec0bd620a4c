import { Router } from 'express';
import { z } from 'zod';
import { AppError, notFound, unreadableDocument } from '../../core/errors.js';
import type { Collection } from '../../core/knowledge/collection.js';
import type { KnowledgeDocument } from '../../core/knowledge/document.js';
import type { ReadingFault } from '../../core/knowledge/reading-faults.js';
import type { DocumentFiles } from '../../core/knowledge/stores.js';
import { extensionOf } from '../../knowledge/extract/format.js';
import { checkedName, documentName } from '../../knowledge/ingest/fetch-document.js';
import type { LeftOut } from '../../knowledge/ingest/unpack-archive.js';
import type * as wire from '../contract/knowledge.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';
import type { ReceivedFile } from '../middleware/upload.js';
import { showDocument } from './document-body.js';
import type { DocumentDeps } from './documents.js';
import { createCollectionLookup, mustBeHere } from './lookup.js';

const MOST_FILES = 20;
export const NoFields = z.strictObject({});

type Stored = Awaited<ReturnType<DocumentFiles['receive']>>;
type Deps = DocumentDeps & { readonly documentLimitBytes: number };

interface Added {
  readonly documents: { readonly document: KnowledgeDocument; readonly duplicate: boolean }[];
  /** Of archives: what was not taken, while the rest was. */
  readonly leftOut: LeftOut[];
}

/** Documents that come as a form: all of it is taken, or nothing, but for what is packed in archives. JSON is left to others. */
export function collectionUploads(deps: Deps): Router {
  const { documents, documentFiles, documentLimitBytes, settingsOf, ingestion } = deps;
  const find = createCollectionLookup(deps);

  const add = async (collection: Collection, files: readonly ReceivedFile<Stored>[]) => {
    const added = await documents.addAll(
      collection.id,
      files.map(({ name, taken }) => ({ ...taken, filename: documentName(name), sourceUrl: undefined })),
    );
    // The same bytes are here already, or the collection is gone: either way nobody would ever read these files.
    const unread = files.filter((_, at) => !added?.[at]?.isNew);
    if (unread.length > 0) await documentFiles.delete(unread.map(({ taken }) => taken.id));
    if (!added) throw notFound('The collection');
    return added.map(({ document, isNew }) => ({ document, duplicate: !isNew }));
  };

  const addAll = async (collection: Collection, files: readonly ReceivedFile<Stored>[]): Promise<Added> => {
    const all: Added = { documents: [], leftOut: [] };
    const single = files.filter(({ name }) => !isArchive(name));
    if (single.length > 0) all.documents.push(...(await add(collection, single)));
    for (const archive of files.filter(({ name }) => isArchive(name))) {
      const leftOut = await unpack(collection, archive, all);
      if (leftOut === undefined) all.documents.push(...(await add(collection, [archive])));
      else all.leftOut.push(...leftOut);
    }
    return all;
  };
  /** Undefined when it is a document itself, whatever it is called. */
  const unpack = async (
    collection: Collection,
    { name, taken }: ReceivedFile<Stored>,
    { documents: added }: Added,
  ): Promise<readonly LeftOut[] | undefined> => {
    const limits = { fileBytes: documentLimitBytes, bytes: MOST_FILES * documentLimitBytes };
    // What unpacks is loaded with the first archive.
    const { unpackArchive, leftOutFor } = await import('../../knowledge/ingest/unpack-archive.js');
    try {
      const leftOut = await documentFiles.withFile(taken.id, (path) =>
        unpackArchive(path, limits, async (file) => {
          const stored = await documentFiles.receive(file.bytes, { maxBytes: documentLimitBytes });
          added.push(...(await add(collection, [{ name: file.name, taken: stored }])));
          ingestion.nudge();
        }),
      );
      if (leftOut) await documentFiles.delete([taken.id]);
      return leftOut;
    } catch (fault) {
      await documentFiles.delete([taken.id]);
      if (!(fault instanceof AppError) || fault.status !== 422) throw fault;
      return [leftOutFor(documentName(name), fault)];
    }
  };

  return Router().post('/lamb/v1/collections/:id/documents', async (req, res, next) => {
    if (!req.is('multipart/form-data')) {
      next();
      return;
    }
    const caller = callerOf(res);
    await find.mustBeAuthor(caller, 'upload');
    const collection = await find.toEdit(req.params.id, caller, 'upload');
    mustBeHere(collection);
    // What reads forms is loaded with the first of them.
    const { receiveForm } = await import('../middleware/upload.js');
    const { files, fields } = await receiveForm(req, res, {
      limit: { bytes: documentLimitBytes, setting: 'DOCUMENT_LIMIT' },
      mostFiles: MOST_FILES,
      wanted: 'fields "file" alone',
      check: (name) => {
        if (!isArchive(name)) checkedName(name);
      },
      take: (bytes) => documentFiles.receive(bytes, { maxBytes: documentLimitBytes }),
      undo: ({ id }) => documentFiles.delete([id]),
    });
    await undoing(files, documentFiles, () => parseWith(NoFields, fields, 'The form'));

    const { documents: added, leftOut } = await addAll(collection, files);
    if (added.length === 0 && leftOut.length > 0) throw nothingTaken(leftOut);
    ingestion.nudge();
    const wantsVectors = (await settingsOf(collection.organizationId)).embeddings !== undefined;
    const answer: wire.AddedDocuments = {
      documents: added.map(({ document, duplicate }) => showDocument(document, { wantsVectors, duplicate })),
      ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
    };
    res.status(202).json(answer);
  });
}

function nothingTaken(leftOut: readonly LeftOut[]): AppError {
  const [{ filename, message, ...facts }] = leftOut as readonly [LeftOut];
  const told = `Nothing of the archive could be taken in. ${filename}: ${message}`;
  // What is wrong with the only one, or with the archive itself, is wrong with all of it.
  const why = leftOut.length === 1 ? facts : { code: NOTHING_TAKEN };
  return unreadableDocument(told, { errors: [{ path: 'file', message: told, ...why }] });
}

const NOTHING_TAKEN: ReadingFault = 'nothing_in_archive';

function isArchive(name: string): boolean {
  return extensionOf(name) === 'zip';
}

/** A form that is refused after its files were read leaves none of them. */
async function undoing(
  files: readonly ReceivedFile<Stored>[],
  documentFiles: Pick<DocumentFiles, 'delete'>,
  check: () => unknown,
): Promise<void> {
  try {
    check();
  } catch (fault) {
    await documentFiles.delete(files.map(({ taken }) => taken.id));
    throw fault;
  }
}
