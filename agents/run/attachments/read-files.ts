import { buffer } from 'node:stream/consumers';
import type { Assistant } from '../../../src/core/assistants/assistant.js';
import type { Attachment } from '../../../src/core/attachments/attachment.js';
import { oneLine } from '../../../src/core/base/text.js';
import {
  type ChatContent,
  type ChatMessage,
  type FilePart,
  filesOf,
  type ImagePart,
} from '../../../src/core/message.js';
import type { RunDeps } from '../prepare.js';
import { isPicture } from './admit-files.js';
import { sharesOf } from './shares.js';

/** The newest of a conversation; a model is sent each of them with every question. */
const MOST_PICTURES = 10;
const LONGEST_NAME = 120;

interface Reader {
  readonly assistant: Assistant;
  readonly userId: number;
}

type Deps = Pick<RunDeps, 'stores'>;
type Found = ReadonlyMap<string, Attachment>;

/** The chat with what the model is told of each file. All of them share what the assistant may read, those of the newest question first. */
export async function readFiles(
  chat: readonly ChatMessage[],
  { assistant, userId }: Reader,
  { stores }: Deps,
): Promise<readonly ChatMessage[]> {
  const limit = assistant.setup.attachments?.maxTokens ?? 0;
  const ids = [...new Set(chat.flatMap(filesIn).map(({ file }) => file.file_id))];
  const rows = limit === 0 ? [] : await stores.attachments.ofOwner(userId, ids);
  const found: Found = new Map(
    rows.filter(({ status }) => status === 'ready').map((row) => [row.id, row] as const),
  );
  const texts = await textsOf(chat, found, limit, stores);
  const pictures = assistant.setup.vision ? await picturesOf(chat, found, stores) : NO_PICTURES;
  const told = (part: FilePart): FilePart | ImagePart =>
    pictures.get(part.file.file_id) ?? { ...part, text: wordsFor(part, found, texts) };
  return chat.map((message) =>
    filesIn(message).length === 0 ? message : { role: 'user', content: withFiles(message.content, told) },
  );
}

const filesIn = (message: ChatMessage) => (message.role === 'user' ? filesOf(message.content) : []);
const NO_PICTURES: ReadonlyMap<string, ImagePart> = new Map();

const withFiles = (content: ChatContent, told: (part: FilePart) => FilePart | ImagePart): ChatContent =>
  typeof content === 'string' ? content : content.map((part) => (part.type === 'file' ? told(part) : part));

async function textsOf(
  chat: readonly ChatMessage[],
  found: Found,
  limit: number,
  { attachments }: Deps['stores'],
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Map<string, number>();
  let left = limit;
  for (const message of chat.toReversed()) {
    const files = filesIn(message)
      .map(({ file }) => found.get(file.file_id))
      .filter((file) => file !== undefined && file.tokens !== null && !wanted.has(file.id));
    const shares = sharesOf(
      files.map((file) => file?.tokens ?? 0),
      left,
    );
    files.forEach((file, i) => {
      const share = shares[i] ?? 0;
      if (!file || share === 0) return;
      left -= share;
      wanted.set(file.id, Math.ceil(((file.characters ?? 0) * share) / Math.max(file.tokens ?? 1, 1)));
    });
  }
  return wanted.size === 0 ? new Map() : await attachments.texts(wanted);
}

async function picturesOf(
  chat: readonly ChatMessage[],
  found: Found,
  { attachmentFiles }: Deps['stores'],
): Promise<ReadonlyMap<string, ImagePart>> {
  const ids = chat
    .flatMap(filesIn)
    .map(({ file }) => file.file_id)
    .filter((id) => isPicture(found.get(id)?.mediaType ?? ''));
  const pictures = new Map<string, ImagePart>();
  for (const id of [...new Set(ids)].slice(-MOST_PICTURES)) {
    const bytes = await attachmentFiles.open(id);
    if (!bytes) continue;
    const data = (await buffer(bytes.bytes())).toString('base64');
    const url = `data:${found.get(id)?.mediaType ?? ''};base64,${data}`;
    pictures.set(id, { type: 'image_url', image_url: { url } });
  }
  return pictures;
}

/** Between marks that nobody can write who did not know the file's id, which it got when it was sent. */
function wordsFor({ file }: FilePart, found: Found, texts: ReadonlyMap<string, string>): string {
  const name = oneLine(file.filename, LONGEST_NAME).replaceAll('"', "'");
  const text = texts.get(file.file_id);
  if (text === undefined) return `(The file "${name}" was sent here. It cannot be read now.)`;
  const whole = found.get(file.file_id)?.characters ?? text.length;
  const cut =
    text.length < whole
      ? `\n[cut: ${String(text.length)} of ${String(whole)} characters shown; say so where it matters]`
      : '';
  return `<file name="${name}" id="${file.file_id}">\n${text}${cut}\n</file id="${file.file_id}">`;
}
