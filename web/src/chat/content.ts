import type { Content, Part } from '../../../src/http/contract/chat.ts';

/** A file as it stands in a question. */
export type SentFile = Extract<Part, { type: 'file' }>['file'];

/** The words of a message, and its pictures. */
export const textIn = (content: Content): string =>
  typeof content === 'string'
    ? content
    : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

export const picturesIn = (content: Content): readonly string[] =>
  typeof content === 'string'
    ? []
    : content.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []));

export const filesIn = (content: Content): readonly SentFile[] =>
  typeof content === 'string' ? [] : content.flatMap((part) => (part.type === 'file' ? [part.file] : []));

export function contentOf(
  text: string,
  pictures: readonly string[],
  files: readonly SentFile[] = [],
): Content {
  if (pictures.length + files.length === 0) return text;
  const words: Part[] = text === '' ? [] : [{ type: 'text', text }];
  return [
    ...words,
    ...pictures.map((url): Part => ({ type: 'image_url', image_url: { url } })),
    ...files.map((file): Part => ({ type: 'file', file })),
  ];
}
