import type { Message } from '../thread.svelte.ts';

export interface ConversationWords {
  readonly title: string;
  /** Of the assistant. */
  readonly name: string;
  readonly you: string;
  readonly sources: string;
  readonly picture: (n: number) => string;
}

/** A conversation as a text that can be read, kept and put elsewhere. Answers are in Markdown already. */
export function conversationMarkdown(messages: readonly Message[], words: ConversationWords): string {
  const said = messages.map((message) => {
    if (message.role === 'user') {
      const pictures = message.pictures.map((_, i) => `*[${words.picture(i + 1)}]*`);
      return [`## ${words.you}`, quoted(message.text), ...pictures].join('\n\n');
    }
    const sources = message.sources.map(({ n, title, url }) => `${String(n)}. ${linked(title, url)}`);
    const list = sources.length === 0 ? [] : [`**${words.sources}**`, sources.join('\n')];
    return [`## ${onOneLine(words.name)}`, message.text, ...list].join('\n\n');
  });
  return `${[`# ${onOneLine(words.title)}`, ...said].join('\n\n')}\n`;
}

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** What a person wrote is their words, whatever signs are in it. */
const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');

/** Addresses of ours are none elsewhere. */
const linked = (title: string, url: string | undefined): string =>
  url !== undefined && /^https?:\/\//.test(url)
    ? `[${onOneLine(title).replace(/[[\]]/g, '\\$&')}](${url.replace(/[()\s]/g, encodeURIComponent)})`
    : onOneLine(title);

/** As a name of a file on any system. */
export const filenameFor = (title: string): string =>
  `${onOneLine(title.replace(/[^\p{L}\p{N} _-]+/gu, ' ')).slice(0, 60) || 'chat'}.md`;
