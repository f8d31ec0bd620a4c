import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';
import * as words from '@langchain/core/messages';
import { argumentsIn, dataOf, finishReasonOf, spokenIn, toLangChain } from '../../agents/models/langchain.js';
import type { Message } from '../../src/core/message.js';

describe('LangChain', () => {
  it('is loaded by nobody who does not speak through it: elsewhere only its types are named', async () => {
    const names = await readdir('agents', { recursive: true });
    const files = names.filter((name) => name.endsWith('.ts'));
    const lines = (await Promise.all(files.map((name) => readFile(`agents/${name}`, 'utf8')))).flatMap(
      (text) => text.split('\n').filter((line) => /from '(@langchain\/|langchain)/.test(line)),
    );

    expect(lines).to.not.be.empty;
    for (const line of lines) expect(line).to.match(/^import type /);
  });

  it('is told the conversation in its own words, calls and results included', () => {
    const messages: Message[] = [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'f', arguments: '{"city":"Vic"}' }] },
      { role: 'tool', toolCallId: 'c1', content: 'Mild.' },
      { role: 'assistant', content: '' },
    ];

    const told = toLangChain(messages, () => ({ type: 'text', text: '' }), words);

    expect(told.map(({ type }) => type)).to.deep.equal(['system', 'human', 'ai', 'tool']);
    expect((told[2] as words.AIMessage).tool_calls).to.deep.equal([
      { type: 'tool_call', id: 'c1', name: 'f', args: { city: 'Vic' } },
    ]);
    expect((told[3] as words.ToolMessage).tool_call_id).to.equal('c1');
  });

  it('is told unreadable arguments as none', () => {
    for (const text of ['', '{"a":', 'null', '[1]', '7', '"x"']) expect(argumentsIn(text)).to.deep.equal({});
  });

  it('is given pictures only by their bytes', () => {
    const picture = (url: string) => dataOf({ type: 'image_url', image_url: { url } });

    expect(picture('data:image/png;base64,AAAA')).to.deep.equal({ mimeType: 'image/png', data: 'AAAA' });
    for (const url of ['https://x.example/a.png', 'data:image/png,AAAA', 'data:;base64,AAAA', '']) {
      expect(picture(url)).to.equal(undefined);
    }
  });

  it('has its thoughts kept apart from what is said', () => {
    expect(spokenIn('Yes.')).to.equal('Yes.');
    expect(
      spokenIn([
        { type: 'thinking', thinking: 'Hmm' },
        { type: 'text', text: 'Yes' },
        { type: 'text', text: '.' },
        { type: 'input_json_delta', input: '{"a"' },
      ]),
    ).to.equal('Yes.');
  });

  it('has every provider’s word for an end understood, and takes others for a plain one', () => {
    for (const word of ['length', 'max_tokens', 'MAX_TOKENS'])
      expect(finishReasonOf(word)).to.equal('length');
    for (const word of ['SAFETY', 'refusal', 'content_filter']) {
      expect(finishReasonOf(word)).to.equal('content_filter');
    }
    for (const word of ['STOP', 'end_turn', 'tool_use', 'constructor', '']) {
      expect(finishReasonOf(word)).to.equal('stop');
    }
  });
});
