import { Router } from 'express';
import { z } from 'zod';
import { notFound } from '../../core/errors.js';
import type { Collection } from '../../core/knowledge/collection.js';
import type { DocumentFiles } from '../../core/knowledge/stores.js';
import { checkedName, documentName } from '../../knowledge/ingest/fetch-document.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';
import type { ReceivedFile } from '../middleware/upload.js';
import { showDocument } from './document-body.js';
import type { DocumentDeps } from './documents.js';
import { createCollectionLookup, mustBeHere } from './lookup.js';

const MOST_FILES = 20;
const NoFields = z.strictObject({});

type Stored = Awaited<ReturnType<DocumentFiles['receive']>>;
type Deps = DocumentDeps & { readonly documentLimitBytes: number };

/** Documents that come as a form: all of it is taken, or nothing. What comes as JSON is left to others. */
export function collectionUploads(deps: Deps): Router {
  const { documents, documentFiles, documentLimitBytes, settingsOf, ingestion } = deps;
  const find = createCollectionLookup(deps);

  const add = async (collection: Collection, { name, taken }: ReceivedFile<Stored>) => {
    const added = await documents.add(collection.id, {
      ...{ ...taken, filename: documentName(name), sourceUrl: undefined },
    });
    // The same bytes are here already, or the collection is gone: either way nobody would ever read this file.
    if (!added?.isNew) await documentFiles.delete([taken.id]);
    if (!added) throw notFound('The collection');
    return { document: added.document, duplicate: !added.isNew };
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
      check: checkedName,
      take: (bytes) => documentFiles.receive(bytes, { maxBytes: documentLimitBytes }),
      undo: ({ id }) => documentFiles.delete([id]),
    });
    await undoing(files, documentFiles, () => parseWith(NoFields, fields, 'The form'));

    const added = [];
    for (const file of files) added.push(await add(collection, file));
    ingestion.nudge();
    const wantsVectors = (await settingsOf(collection.organizationId)).embeddings !== undefined;
    res.status(202).json({
      documents: added.map(({ document, duplicate }) => showDocument(document, { wantsVectors, duplicate })),
    });
  });
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
