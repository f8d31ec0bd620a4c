import { expect } from 'chai';
import { z } from 'zod';
import { fingerprint } from '../../agents/base/fingerprint.js';
import { answeredWith, askedLater } from '../../agents/gate/approvals.js';
import { invokeTool } from '../../agents/gate/invoke-tool.js';
import type { Approval } from '../../src/core/assistants/assistant.js';
import type { StatusEvent } from '../../src/core/runs/event.js';
import type { ApprovalAnswer, AskApproval } from '../../src/core/runs/approval.js';
import type { RunContext } from '../../src/core/runs/run-context.js';
import { type AnyTool, type Danger, defineTool } from '../../src/core/tool.js';
import { aContext, anEntry } from '../support/run-context.js';

/** A tool that counts how often it was run. */
function aDeed(danger: Danger) {
  const ran: unknown[] = [];
  const tool: AnyTool = defineTool({
    ...{ name: 'deed', title: 'Deed', description: 'Does something.', category: 'test', version: '1.0.0' },
    danger,
    repeatable: true,
    config: z.object({}),
    args: z.object({ what: z.string() }),
    asFunction: () => ({ name: 'do_it' }),
    touches: () => [],
    status: ({ what }) => `doing ${what}`,
    run: (args) => {
      ran.push(args);
      return Promise.resolve({ content: 'done' });
    },
  });
  return { tool, ran };
}

async function call(tool: AnyTool, approval: Approval | undefined, ctx: RunContext) {
  const ready = {
    ...{ entry: anEntry({ type: 'deed', approval }), tool, config: {}, subject: { name: 'Deed' } },
    ...{ asFunction: { name: 'do_it' }, args: tool.args },
  };
  const invocation = {
    site: { kind: 'tool', iteration: 1, callId: 'c1' } as const,
    ready,
    args: { fromModel: '{"what":"paint"}' },
  };
  const events: StatusEvent[] = [];
  const outcome = await invokeTool(invocation, ctx, (event) => void events.push(event));
  const labels = events.flatMap((event) => ('label' in event ? [event.label] : []));
  return { outcome, events: events.map(({ type }) => type), labels };
}

/** What the gate makes of a configuration without any setting. */
const SETUP_OF_NOTHING = fingerprint('{}').sha256;

const answering = (answer: ApprovalAnswer) => {
  const asked: Parameters<AskApproval>[0][] = [];
  const askApproval: AskApproval = (question) => {
    asked.push(question);
    return Promise.resolve({ expiresAt: '2999-01-01T00:00:00.000Z', answer: Promise.resolve(answer) });
  };
  return { askApproval, asked };
};

describe('approval at the gate', () => {
  for (const danger of ['write', 'external'] as const) {
    for (const approval of ['never', undefined] as const) {
      it(`keeps a tool that is ${danger} from running when its approval is ${String(approval)}`, async () => {
        const { tool, ran } = aDeed(danger);
        const denials: object[] = [];
        const { askApproval, asked } = answering('approved');

        const { outcome, events } = await call(tool, approval, {
          ...aContext({ audit: (denial) => denials.push(denial) }),
          askApproval,
        });

        expect(outcome).to.include({ ok: false, reason: 'This assistant may not do that.' });
        expect(events).to.deep.equal(['tool.denied']);
        expect([ran, asked, denials.length]).to.deep.equal([[], [], 1]);
      });
    }

    it(`runs a tool that is ${danger} without a question when it is always allowed`, async () => {
      const { tool, ran } = aDeed(danger);
      const { askApproval, asked } = answering('refused');

      const { outcome } = await call(tool, 'always-allowed', { ...aContext(), askApproval });

      expect(outcome).to.have.property('ok', true);
      expect([ran.length, asked.length]).to.deep.equal([1, 0]);
    });
  }

  it('asks nobody about a tool that only reads', async () => {
    const { tool, ran } = aDeed('read');
    const { askApproval, asked } = answering('refused');

    await call(tool, 'never', { ...aContext(), askApproval });

    expect([ran.length, asked.length]).to.deep.equal([1, 0]);
  });

  it('puts a call aside for somebody who answers with another request: it is not made, and nothing is told of it', async () => {
    const { tool, ran } = aDeed('write');
    const denials: object[] = [];

    const { outcome, events } = await call(tool, 'ask', {
      ...aContext({ audit: (denial) => denials.push(denial) }),
      askApproval: askedLater,
    });

    expect(outcome).to.have.nested.property('waiting.label', 'doing paint');
    expect([events, ran, denials]).to.deep.equal([[], [], []]);
  });

  it('takes an answer that came with another request for the very call it was about, and for no other', async () => {
    const asked = { tool: 'deed', label: 'doing paint', args: { what: 'paint' }, setUp: SETUP_OF_NOTHING };
    const about = (changes: object, callId = 'c1') =>
      answeredWith(
        new Map([[callId, { ...asked, id: 'ours', expiresAt: '', answer: 'approved' as const, ...changes }]]),
      );
    const run = async (askApproval: AskApproval) => {
      const { tool, ran } = aDeed('write');
      const { outcome } = await call(tool, 'ask', { ...aContext(), askApproval });
      return [ran.length, outcome.ok ? 'done' : outcome.reason];
    };

    expect(await run(about({}))).to.deep.equal([1, 'done']);
    for (const other of [{ args: { what: 'burn' } }, { setUp: 'another' }, { tool: 'another' }]) {
      const [times, reason] = await run(about(other));
      expect(times).to.equal(0);
      expect(reason).to.match(/set up differently since/);
    }
    expect((await run(about({}, 'c2')))[0]).to.equal(0);
  });

  it('asks with what is to be done, and runs it once it is approved', async () => {
    const { tool, ran } = aDeed('write');
    const { askApproval, asked } = answering('approved');

    const { outcome, events } = await call(tool, 'ask', { ...aContext(), askApproval });

    expect(asked).to.have.length(1);
    expect(asked[0]).to.deep.include({
      ...{ callId: 'c1', tool: 'deed', label: 'doing paint', args: { what: 'paint' } },
    });
    expect(events).to.deep.equal(['approval.required', 'tool.started', 'tool.completed']);
    expect(outcome).to.have.property('content', 'done');
    expect(ran).to.deep.equal([{ what: 'paint' }]);
  });

  for (const [answer, words] of [
    ['refused', /refused this call/],
    ['expired', /Nobody approved this call in time/],
  ] as const) {
    it(`tells the model when approval was ${answer}, and does nothing`, async () => {
      const { tool, ran } = aDeed('write');

      const { outcome, events, labels } = await call(tool, 'ask', { ...aContext(), ...answering(answer) });

      expect(outcome).to.have.property('reason').that.matches(words);
      expect(events).to.deep.equal(['approval.required', 'tool.denied']);
      expect(labels).to.deep.equal(['doing paint', 'doing paint']);
      expect(ran).to.deep.equal([]);
    });
  }

  it('does nothing when the question cannot be put, or its answer not be read', async () => {
    const broken = () => Promise.reject(new Error('disk full at /var/lib'));
    const unread: AskApproval = () => Promise.resolve({ expiresAt: '', answer: broken() });

    for (const askApproval of [broken, unread]) {
      const { tool, ran } = aDeed('write');
      const { outcome } = await call(tool, 'ask', { ...aContext(), askApproval });

      expect(outcome).to.include({ ok: false, reason: 'The tool failed.' });
      expect(ran).to.deep.equal([]);
    }
  });

  it('refuses at once where nobody would see the question', async () => {
    const { tool, ran } = aDeed('write');

    const { outcome } = await call(tool, 'ask', aContext());

    expect(outcome)
      .to.have.property('reason')
      .that.matches(/cannot be asked here/);
    expect(ran).to.deep.equal([]);
  });

  it('checks everything again after the wait: what was withdrawn meanwhile is not done', async () => {
    const { tool, ran } = aDeed('write');
    const context = aContext();
    let there = true;
    const askApproval: AskApproval = () => {
      there = false;
      return Promise.resolve({ expiresAt: '', answer: Promise.resolve('approved' as const) });
    };

    const { events, labels } = await call(tool, 'ask', {
      ...context,
      askApproval,
      currentAssistant: async () => (there ? await context.currentAssistant() : undefined),
    });

    expect(events).to.deep.equal(['approval.required', 'tool.denied']);
    expect(labels).to.deep.equal(['doing paint', 'doing paint']);
    expect(ran).to.deep.equal([]);
  });

  it('goes by the approval as the owner has it set now, not as it was when the run began', async () => {
    const { tool, ran } = aDeed('write');
    const context = aContext();
    const entry = anEntry({ type: 'deed', approval: 'never' });
    const changed = {
      ...context.assistant,
      version: context.assistant.version + 1,
      setup: { ...context.assistant.setup, tools: [entry] },
    };

    const { events } = await call(tool, 'always-allowed', {
      ...context,
      currentAssistant: () => Promise.resolve(changed),
    });

    expect(events).to.deep.equal(['tool.denied']);
    expect(ran).to.deep.equal([]);
  });
});
