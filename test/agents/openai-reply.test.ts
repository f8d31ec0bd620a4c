import { expect } from 'chai';
import { ReplyReader } from '../../agents/models/openai.js';
import { MOST_UNREADABLE } from '../../agents/models/stream.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const nonsense = (times: number) => bytes('data: nonsense\n\n'.repeat(times));
const word = bytes('data: {"choices":[{"delta":{"content":"Hello"},"finish_reason":"stop"}]}\n\n');

describe('a reply that holds what cannot be read', () => {
  it('is still read, however that is mixed in', () => {
    const reader = new ReplyReader();

    reader.read(nonsense(MOST_UNREADABLE));

    expect(reader.read(word)).to.equal('Hello');
    expect(reader.finish(0)).to.include({ finishReason: 'stop' });
  });

  it('is given up on when it goes on and on, since reading it would keep everybody waiting', () => {
    const reader = new ReplyReader();

    reader.read(nonsense(MOST_UNREADABLE + 1));

    expect(() => reader.read(word))
      .to.throw('sent an answer that cannot be understood')
      .with.property('code', 'upstream_incomplete');
  });
});
