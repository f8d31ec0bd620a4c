import type { AddedDocuments } from '../../../src/http/contract/knowledge.ts';
import { createFault, isFault } from '../api/fault.ts';
import type { App } from '../app/app-context.ts';
import type { SendFiles } from '../app/uploads.svelte.ts';
import { uploadPlace } from './routes.ts';

/** What collections take, for the dialog that chooses files. */
export const ACCEPTED =
  '.pdf,.docx,.pptx,.xlsx,.odt,.ods,.odp,.epub,.rtf,.srt,.vtt,.html,.htm,.xhtml,.md,.markdown,.txt,.text,.csv,.tsv,.zip,' +
  '.png,.jpg,.jpeg,.webp,application/pdf,text/html,text/markdown,text/plain,text/csv,image/png,image/jpeg,image/webp';

/** What the service takes in one request. */
const FILES_A_REQUEST = 20;

type Around = Pick<App, 'knowledge' | 'uploads' | 'toasts' | 'i18n'>;

/** Sends files to a collection, and says of each what became of it. */
export function createDocumentSender({ knowledge, uploads, toasts, i18n }: Around) {
  function tell(
    place: string,
    { documents, left_out = [] }: AddedDocuments,
    sent: (ids: readonly string[]) => void,
  ): void {
    for (const { filename, message, ...facts } of left_out) {
      const errors = [{ path: 'file', message, ...facts }];
      uploads.addFailed(place, filename, createFault({ status: 422, message, errors }));
    }
    // Somebody may be on another page by now, and reading it in another language.
    const words = i18n.t.documents;
    const fresh = documents.filter(({ duplicate }) => duplicate !== true);
    sent(fresh.map(({ id }) => id));
    if (documents.length === 1 && fresh.length === 0)
      toasts.show(words.duplicate(documents[0]?.filename ?? ''));
    else if (fresh.length === 1) toasts.say(words.received(fresh[0]?.filename ?? ''));
    else if (fresh.length > 1) toasts.say(words.batchReceived(i18n.number(fresh.length)));
  }

  return (collectionId: string, files: readonly File[], sent: (ids: readonly string[]) => void): void => {
    const place = uploadPlace(collectionId);
    const send: SendFiles = async (group, options) => {
      try {
        tell(place, await knowledge.upload(collectionId, group, options), sent);
      } catch (fault) {
        // One of them is refused, and all of the request with it: each by itself then.
        if (group.length === 1 || !isFault(fault) || ![400, 413, 415, 422].includes(fault.status))
          throw fault;
        uploads.addGroups(
          place,
          group.map((file) => [file]),
          send,
        );
      }
    };
    const size = files.length > FILES_A_REQUEST ? FILES_A_REQUEST : 1;
    const requests = Array.from({ length: Math.ceil(files.length / size) }, (_, n) =>
      files.slice(n * size, (n + 1) * size),
    );
    uploads.addGroups(place, requests, send);
  };
}
