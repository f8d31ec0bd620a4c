import { expect } from 'chai';
import fc from 'fast-check';
import { ChatBody, chatOf } from '../../../src/http/chat/request.js';

const content = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  fc.constantFrom(null, undefined, 7, [], {}, [{ type: 'text', text: 'In parts.' }], ['word']),
);
const role = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('user', 'assistant', 'system') },
  fc.constantFrom('developer', 'tool', 'function', 'wizard', '', null, 7, ['user'], undefined),
);
const anything = fc.oneof(
  { weight: 6, arbitrary: fc.record({ role, content }) },
  fc.record({ role, content, refusal: fc.string() }),
  fc.record({ role }),
  fc.constantFrom(null, 'Hello?', 7, [], {}),
);
const LAST = { role: 'user', content: 'Hello?' };

describe('the messages of a chat', () => {
  const read = (messages: readonly unknown[]) => {
    const { data, error } = ChatBody.safeParse({ messages: [...messages, LAST] });
    return data ? { messages: data.messages, chat: chatOf(data.messages) } : error.issues;
  };
  /** With a key that nobody reads, a message is never taken for words alone. */
  const withMore = (message: unknown) =>
    typeof message === 'object' && message !== null && !Array.isArray(message)
      ? { ...message, name: 'Ada' }
      : message;

  it('that are words alone are read without their schema as they would be by it', () => {
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 6 }), (messages) => {
        expect(read(messages)).to.deep.equal(read(messages.map(withMore)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('that are words alone are not made anew', () => {
    const said = [{ role: 'assistant', content: 'Hello.' }, LAST];

    const { messages } = ChatBody.parse({ messages: said });

    expect(messages.map((message, i) => message === said[i])).to.deep.equal([true, true]);
  });
});
