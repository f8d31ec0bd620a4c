import { type Request, type RequestHandler, type Response, Router } from 'express';
import { AppError, notFound } from '../../core/errors.js';
import type { Stores } from '../../core/stores.js';
import type { PassageLinks } from '../../security/signed-links.js';
import { sendDocument } from '../middleware/download.js';
import { isOff } from './document-body.js';
import { type Reader, wordsIn } from './passage-page-texts.js';
import { gonePage, PAGE_POLICY, passagePage, type ShownPassage } from './passage-page.js';

export type PassageRouteDeps = Pick<Stores, 'documents' | 'documentFiles'> & {
  readonly passageLinks: PassageLinks;
};

/**
 * Shows a passage in its section, and the document it is from, to whoever has its link. The same answer for a forged
 * link, an old one, what is gone or switched off, and a document that says something else by now.
 */
export function passages(deps: PassageRouteDeps): Router {
  const { documentFiles } = deps;
  return Router()
    .get(
      '/passages/:token',
      orGone(async ({ params: { token = '' } }, res, reader) => {
        const shown = await find(token, deps);
        // Relative, so that it holds behind whatever address people use.
        sendPage(res, reader, passagePage({ ...shown, file: `${token}/file` }, reader));
      }),
    )
    .get(
      '/passages/:token/file',
      orGone(async ({ params: { token = '' } }, res) => {
        const { document } = await find(token, deps);
        await sendDocument(res, document, await documentFiles.open(document.id));
      }),
    );
}

async function find(token: string, { documents, passageLinks }: PassageRouteDeps) {
  const linked = passageLinks.passageAt(token);
  if (!linked) throw notFound('This passage');
  const { collectionId, documentId, position } = linked;
  const [document, passage] = await Promise.all([
    documents.get(collectionId, documentId),
    documents.passage(collectionId, documentId, position),
  ]);
  const isShown = document && passage && !isOff(document) && !passage.isOff;
  if (!isShown || !linked.said(passage.text)) throw notFound('This passage');
  const [section] = await documents.sections([passage.sectionId]);
  return { document, passage, section } satisfies Omit<ShownPassage, 'file'>;
}

type Showing = (req: Request<{ token?: string }>, res: Response, reader: Reader) => Promise<void>;

/** People who follow a link that leads nowhere are told so in a page. */
function orGone(show: Showing): RequestHandler<{ token?: string }> {
  return async (req, res) => {
    const reader = readerOf(req);
    res.set({ 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' });
    try {
      await show(req, res, reader);
    } catch (fault) {
      if (!(fault instanceof AppError && fault.status === 404)) throw fault;
      if (res.headersSent || req.accepts(['json', 'html']) !== 'html') throw notFound('This passage');
      sendPage(res.status(404), reader, gonePage(reader));
    }
  };
}

/** As they have chosen in our own pages, which say so in the link; else as their browser wishes. */
function readerOf(req: Request<{ token?: string }>): Reader {
  const { lang, theme } = req.query;
  const wished = [...(typeof lang === 'string' ? [lang] : []), ...req.acceptsLanguages()];
  return { words: wordsIn(wished), theme: theme === 'light' || theme === 'dark' ? theme : undefined };
}

function sendPage(res: Response, { words }: Reader, html: string): void {
  res
    .set({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': words.lang,
      'Content-Security-Policy': PAGE_POLICY,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
      Vary: 'Accept, Accept-Language',
    })
    .send(html);
}
