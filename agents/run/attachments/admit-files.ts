import { Readable } from 'node:stream';
import type { Caller } from '../../../src/core/access/caller.js';
import type { Assistant } from '../../../src/core/assistants/assistant.js';
import { type Attachment, attachmentName } from '../../../src/core/attachments/attachment.js';
import {
  couldNotBeRead,
  isStillRead,
  notAllowed,
  ofAnotherConversation,
} from '../../../src/core/attachments/refusals.js';
import { badRequest, notFound, unsupportedParameter } from '../../../src/core/errors.js';
import type { ChatMessage, FilePart, SentFile, SentMessage } from '../../../src/core/message.js';
import type { RunDeps } from '../prepare.js';

/** With one question. */
const MOST_FILES = 10;
/** So long a question waits for its files to be read. */
const WAIT_MS = 30_000;

/** In the place of a file of an earlier message that is not there any more; in the newest one it is refused. */
const GONE = { type: 'text', text: '(A file was here that cannot be read any more.)' } as const;

interface Question {
  readonly caller: Caller;
  readonly assistant: Assistant;
  readonly conversationId: string | undefined;
  readonly signal: AbortSignal;
}

type Deps = Pick<RunDeps, 'stores' | 'attachmentIntake'>;
type Part = Exclude<Extract<SentMessage, { role: 'user' }>['content'], string>[number];

/** The chat with each of its files as the attachment that it is. Whatever keeps one of the newest message from being read is told. */
export async function admitFiles(
  chat: readonly SentMessage[],
  question: Question,
  deps: Deps,
): Promise<readonly ChatMessage[]> {
  const newest = chat.findLastIndex(({ role }) => role === 'user');
  const found = await earlierFiles(chat.slice(0, newest), question, deps);
  const admitted: ChatMessage[] = [];
  for (const [at, message] of chat.entries()) {
    if (message.role !== 'user') admitted.push(message);
    else if (typeof message.content === 'string') admitted.push({ role: 'user', content: message.content });
    else if (at !== newest) {
      const content = message.content.map((part) => (isFile(part) ? (found.get(idIn(part)) ?? GONE) : part));
      admitted.push({ role: 'user', content });
    } else admitted.push({ role: 'user', content: await newestParts(message.content, question, deps) });
  }
  return admitted;
}

const isFile = (part: Part): part is FilePart | SentFile => part.type === 'file';
const idIn = ({ file }: FilePart | SentFile) => ('file_id' in file ? file.file_id : '');

/** Those that are the caller's, wherever they were used before: a conversation may branch off another. */
async function earlierFiles(
  chat: readonly SentMessage[],
  { caller }: Question,
  { stores }: Deps,
): Promise<ReadonlyMap<string, FilePart>> {
  const ids = chat.flatMap(({ role, content }) =>
    role === 'user' && typeof content !== 'string' ? content.filter(isFile).map(idIn) : [],
  );
  const wanted = [...new Set(ids)].slice(-MOST_EARLIER);
  const found = wanted.length === 0 ? [] : await stores.attachments.ofOwner(caller.userId, wanted);
  return new Map(found.map((attachment) => [attachment.id, asPart(attachment)]));
}

/** In all of what was said before. */
const MOST_EARLIER = 100;

async function newestParts(
  parts: readonly Part[],
  question: Question,
  deps: Deps,
): Promise<readonly (Exclude<Part, SentFile> | FilePart)[]> {
  const sent = parts.filter(isFile);
  if (sent.length === 0) return parts.flatMap((part) => (isFile(part) ? [] : [part]));
  if (!question.assistant.setup.attachments) throw notAllowed('messages');
  if (sent.length > MOST_FILES)
    throw badRequest(`At most ${String(MOST_FILES)} files can be sent with one question.`, 'messages');
  const admitted: (Exclude<Part, SentFile> | FilePart)[] = [];
  for (const part of parts) admitted.push(isFile(part) ? await admitFile(part, question, deps) : part);
  return admitted;
}

async function admitFile(
  { file }: FilePart | SentFile,
  { caller, assistant, conversationId, signal }: Question,
  deps: Deps,
): Promise<FilePart> {
  const found = 'file_data' in file ? await takeIn(file, caller, deps) : await ownFile(file, caller, deps);
  const isElsewhere = found.conversationId !== null && found.conversationId !== conversationId;
  if (isElsewhere && !(await deps.stores.attachments.isFree(found))) throw ofAnotherConversation();
  const attachment = await deps.attachmentIntake.settled(found, { ms: WAIT_MS, signal });
  const { status, error, filename, mediaType } = attachment;
  if (status === 'failed') throw couldNotBeRead(filename, error ?? '');
  if (status === 'reading') throw isStillRead(filename);
  if (isPicture(mediaType) && !assistant.setup.vision)
    throw unsupportedParameter(
      'This assistant does not look at pictures. Leave them out, or switch on "vision" in its settings.',
      'messages',
    );
  return asPart(attachment);
}

async function ownFile(
  { file_id }: { readonly file_id: string },
  { userId }: Caller,
  { stores }: Deps,
): Promise<Attachment> {
  const [found] = await stores.attachments.ofOwner(userId, [file_id]);
  if (!found) throw notFound('The attachment');
  return found;
}

/** The same that came with an earlier question is there already, as clients without a memory send all of it each time. */
async function takeIn(
  { file_data, filename: named }: { readonly file_data: string; readonly filename: string },
  { userId: ownerId, organizationId }: Caller,
  { stores, attachmentIntake: intake }: Deps,
): Promise<Attachment> {
  const filename = attachmentName(named);
  const bytes = bytesIn(file_data);
  const stored = await intake.store(Readable.from([bytes]));
  const same = await stores.attachments.same({ ownerId, sha256: stored.sha256, filename });
  if (!same) return await intake.keep(stored, { filename, ownerId, organizationId });
  await intake.discard(stored);
  return same;
}

const DATA_URL = /^data:[^,]{0,200};base64,/i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function bytesIn(data: string): Buffer {
  const base64 = data.replace(DATA_URL, '').replace(/\s+/g, '');
  if (base64.length % 4 === 0 && BASE64.test(base64)) return Buffer.from(base64, 'base64');
  throw badRequest('file_data must be Base64, or a data URL in Base64.', 'messages');
}

export const isPicture = (mediaType: string) => mediaType.startsWith('image/');

function asPart({ id, filename, mediaType, bytes }: Attachment): FilePart {
  return { type: 'file', file: { file_id: id, filename, media_type: mediaType, bytes } };
}
