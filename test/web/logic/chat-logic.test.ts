import { expect } from 'chai';
import { parseCompareEntry, formatCompareEntry } from '../../../web/src/chat/compare-entry.js';
import { type Frame, framesOf, type Status } from '../../../web/src/chat/frames.js';
import { countSavedBefore } from '../../../web/src/chat/saved-messages.js';
import { sourcesIn } from '../../../web/src/chat/sources.js';
import { stepText } from '../../../web/src/chat/step-texts.js';
import { ended, restored, type Step, withStatus } from '../../../web/src/chat/steps.js';
import { ca } from '../../../web/src/i18n/ca.ts';
import { en } from '../../../web/src/i18n/en.ts';
import { es } from '../../../web/src/i18n/es.ts';
import { eu } from '../../../web/src/i18n/eu.ts';

const call = (type: string, more: Partial<Status> = {}): Status => ({
  ...{ type, call_id: 'c1', tool: 'weather', label: 'calling weather' },
  ...more,
});
const after = (...statuses: Status[]) => statuses.reduce<readonly Step[]>(withStatus, []);
const seen = (steps: readonly Step[]): unknown[] =>
  steps.map(({ label, state, within }) =>
    within.length > 0 ? [label, state, seen(within)] : [label, state],
  );

describe('the steps of an answer', () => {
  it('follow their events from beginning to end', () => {
    const steps = after(
      call('tool.started'),
      call('tool.started', { call_id: 'c2', label: 'reading' }),
      call('tool.progress', { percent: 40, label: 'calling weather' }),
      call('tool.failed', { call_id: 'c2', label: 'reading', ms: 7 }),
      call('tool.completed', { ms: 12 }),
    );

    expect(seen(steps)).to.deep.equal([
      ['calling weather', 'completed'],
      ['reading', 'failed'],
    ]);
    expect(steps.map(({ ms }) => ms)).to.deep.equal([12, 7]);
  });

  it('keep two placeholders apart that look alike, and a call from a later one of the same name', () => {
    const placeholder = (type: string) => ({ type, tool: 'rag', placeholder: 'context', label: 'looking' });

    const steps = after(
      placeholder('placeholder.started'),
      placeholder('placeholder.started'),
      placeholder('placeholder.completed'),
      placeholder('placeholder.failed'),
      call('tool.started'),
      call('tool.denied'),
      call('tool.started'),
    );

    expect(steps.map(({ state }) => state)).to.deep.equal(['completed', 'failed', 'denied', 'running']);
  });

  it('wait for approval, and hold what another assistant did for them', () => {
    const steps = after(
      call('approval.required', { expires_at: '2027-01-01T00:00:00Z' }),
      call('tool.started'),
      call('assistant.started', { label: 'calling Maths' }),
      call('assistant.completed', { label: 'calling Maths', ms: 3 }),
    );

    expect(after(call('approval.required'))[0]?.state).to.equal('waiting');
    expect(seen(steps)).to.deep.equal([['calling weather', 'running', [['calling Maths', 'completed']]]]);
    expect(seen(ended(steps))).to.deep.equal([
      ['calling weather', 'failed', [['calling Maths', 'completed']]],
    ]);
  });

  it('are none for events that are about the run, or unknown', () => {
    const types = ['run.started', 'prompt.composed', 'model.started', 'heartbeat', 'run.completed', 'x'];

    expect(after(...types.map((type) => ({ type })))).to.deep.equal([]);
  });

  it('are the same when they come back', () => {
    const kept = (kind: 'tool' | 'assistant', label: string) => ({
      ...{ kind, label, tool: 'x', state: 'completed' as const, ms: 1, iteration: 1 },
    });

    expect(seen(restored([kept('tool', 'a'), kept('assistant', 'b'), kept('tool', 'c')]))).to.deep.equal([
      ['a', 'completed'],
      ['b', 'completed'],
      ['c', 'completed'],
    ]);
  });
});

describe('a step that went on without a part of what it was pointed at', () => {
  for (const [language, words] of Object.entries({ en, es, ca, eu })) {
    it(`says so in its reader's words (${language})`, () => {
      const facts = { collections: ['Cells'], failed: ['Old notes', 'Plants'], refused: 2 };
      const found = { tool: 'simple_rag', label: 'querying knowledge base Cells', subject: 'Cells', facts };

      const [live] = after(call('tool.started', found), call('tool.completed', found));
      const [kept] = restored([{ kind: 'placeholder', state: 'completed', ms: 5, iteration: 0, ...found }]);

      for (const step of [live!, kept!]) {
        expect(stepText(step, words)).to.contain('Cells').and.to.contain('Old notes, Plants');
        expect(stepText(step, words)).to.contain(words.tools.leftOut.refused(2));
      }
    });
  }
});

describe('a step that looked in vain', () => {
  it('says that nothing fits the question, once it is over', () => {
    const found = { tool: 'simple_rag', label: 'querying knowledge base Cells', subject: 'Cells' };
    const started = call('tool.started', found);

    const [live] = after(started, call('tool.completed', { ...found, facts: { passages: 0 } }));

    expect(stepText(live!, en)).to.equal('Looking in Cells (nothing in it fits this question)');
    for (const facts of [{ passages: 1 }, {}])
      expect(stepText(after(started, call('tool.completed', { ...found, facts }))[0]!, en)).to.equal(
        'Looking in Cells',
      );
  });
});

describe('the frames of a streamed answer', () => {
  it('are read wherever the bytes are cut, and what is no frame is passed over', async () => {
    const text =
      'data: {"choices":[{"delta":{"content":"Zürich ✓"}}]}\n\n: ping\n\ndata: nonsense\n\ndata: 7\n\ndata: [DONE]\n\n';
    const bytes = new TextEncoder().encode(text);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const frames: (Frame | string)[] = [];

    for await (const { frame } of framesOf(body)) frames.push(frame);

    expect(frames).to.deep.equal([{ choices: [{ delta: { content: 'Zürich ✓' } }] }, '[DONE]']);
  });

  it('list only sources that are some', () => {
    expect(
      sourcesIn([null, 7, { n: '1', title: 'x' }, { n: 2, title: 'b', url: 3, cited: 'yes' }]),
    ).to.deep.equal([{ n: 2, title: 'b', url: undefined, similarity: undefined, cited: false }]);
  });
});

describe('what was kept before a question', () => {
  const kept = (role: 'user' | 'assistant', content: string) => ({
    ...{ role, content, run_id: null, incomplete: false },
  });
  const shown = (role: 'user' | 'assistant', text: string) => ({ role, text });

  it('is counted past what was shown and never kept', () => {
    const service = [kept('user', 'a'), kept('assistant', 'Because and more'), kept('user', 'c')];
    const page = [
      shown('user', 'refused'),
      shown('assistant', ''),
      shown('user', 'a'),
      shown('assistant', 'Because'),
    ];

    expect(countSavedBefore(page, service)).to.equal(2);
    expect(countSavedBefore([], service)).to.equal(0);
  });
});

describe('the address of a comparison', () => {
  it('names an assistant, and a version if it is not the newest', () => {
    expect(parseCompareEntry('7')).to.deep.equal({ assistant: 7, version: undefined });
    expect(parseCompareEntry('7@3')).to.deep.equal({ assistant: 7, version: 3 });
    for (const other of [null, '', 'x', '7@', '-1', '7@0', '1e3'])
      expect(parseCompareEntry(other)).to.equal(undefined);
    expect(['7', '7@3'].map((text) => formatCompareEntry(parseCompareEntry(text)!))).to.deep.equal([
      '7',
      '7@3',
    ]);
  });
});
