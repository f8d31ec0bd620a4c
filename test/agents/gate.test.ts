import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { z } from 'zod';
import { invokeTool } from '../../agents/gate/invoke-tool.js';
import type { ToolOutcome } from '../../agents/gate/invocation.js';
import type { StatusEvent } from '../../src/core/runs/event.js';
import type { ToolContext } from '../../src/core/runs/run-context.js';
import { type AnyTool, defineTool, type ToolResult } from '../../src/core/tool.js';
import { forbidden } from '../../src/core/errors.js';
import { createToolSecrets } from '../../src/core/organizations/tool-secrets.js';
import { aContext, anEntry } from '../support/run-context.js';

/** A tool whose behaviour is the test's. */
function aTool(run: (ctx: ToolContext) => Promise<ToolResult>, more: Partial<AnyTool> = {}): AnyTool {
  return {
    ...defineTool({
      name: 'probe',
      title: 'Probe',
      description: 'Does what a test says.',
      category: 'test',
      version: '1.0.0',
      danger: 'read',
      repeatable: true,
      config: z.object({}),
      args: z.object({}),
      asFunction: () => ({ name: 'probe' }),
      touches: () => [],
      status: () => 'probing',
      run: (_args, _config, ctx) => run(ctx),
    }),
    ...more,
  };
}

async function invoke(
  tool: AnyTool,
  context = aContext(),
  config: Record<string, unknown> = {},
  slow: (event: StatusEvent) => Promise<void> | undefined = () => undefined,
): Promise<{ events: StatusEvent[]; outcome: ToolOutcome }> {
  const ready = {
    entry: anEntry({ type: tool.name }),
    tool,
    config,
    subject: { name: tool.title },
    asFunction: { name: 'probe' },
    args: tool.args,
  };
  const events: StatusEvent[] = [];
  const outcome = await invokeTool(
    { site: { kind: 'tool', iteration: 1, callId: 'c1' }, ready, args: { fromModel: '{}' } },
    context,
    (event) => {
      events.push(event);
      return slow(event);
    },
  );
  return { events, outcome };
}

const progressIn = (events: readonly StatusEvent[]) =>
  events.flatMap((event) => (event.type === 'tool.progress' ? [event.label] : []));

const FAILED = { ok: false, reason: 'The tool failed.', code: 'tool_failed' };

describe('the gate', () => {
  const misbehaviours: readonly (readonly [string, () => Promise<ToolResult>])[] = [
    [
      'throws before its first await',
      () => {
        throw new Error('secret');
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret'))],
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what a careless tool does
    ['throws what is no error', () => Promise.reject('secret')],
    ['returns nothing', () => Promise.resolve(undefined as unknown as ToolResult)],
    ['returns what is no text', () => Promise.resolve({ content: { secret: 1 } } as unknown as ToolResult)],
  ];
  for (const [what, run] of misbehaviours) {
    it(`turns a tool that ${what} into a value, with nothing internal in it`, async () => {
      const { outcome, events } = await invoke(aTool(run));

      expect(outcome).to.include(FAILED);
      expect(events.map(({ type }) => type)).to.deep.equal(['tool.started', 'tool.failed']);
    });
  }

  it('shows the message of an error that was made to be shown', async () => {
    const { outcome } = await invoke(aTool(() => Promise.reject(forbidden('You may not read this.'))));

    expect(outcome).to.include({ ok: false, reason: 'You may not read this.' });
  });

  it('ends a tool that never ends when its time is up, and tells it so by its signal', async () => {
    let told = false;
    const never = aTool(
      (ctx) => {
        ctx.signal.addEventListener('abort', () => {
          told = true;
        });
        return new Promise(() => undefined);
      },
      { timeoutMs: 20 },
    );

    const { outcome } = await invoke(never);

    expect(outcome).to.include({ ok: false, reason: 'The tool took too long.' });
    expect(told).to.equal(true);
  });

  it('hears a tool that rejects after its time was up', async () => {
    const unheard: unknown[] = [];
    const listen = (fault: unknown) => unheard.push(fault);
    process.on('unhandledRejection', listen);
    let rejectLate: (fault: Error) => void = () => undefined;
    const late = aTool(
      () =>
        new Promise<ToolResult>((_resolve, reject) => {
          rejectLate = reject;
        }),
      { timeoutMs: 10 },
    );

    await invoke(late);
    rejectLate(new Error('too late'));
    await new Promise((resolve) => setImmediate(resolve));

    process.off('unhandledRejection', listen);
    expect(unheard).to.deep.equal([]);
  });

  it('cuts what is too long, with a mark, and never in the middle of a character', async () => {
    const { outcome } = await invoke(
      aTool(() => Promise.resolve({ content: `${'a'.repeat(99)}😀${'b'.repeat(10_000_000)}` })),
      aContext({ toolResultMaxChars: 100 }),
    );

    expect(outcome.ok && outcome.content).to.equal(
      `${'a'.repeat(99)}\n[cut: 99 of 10000101 characters shown]`,
    );
  });

  it('passes progress on as it comes, on one line and within bounds', async () => {
    const chatty = aTool((ctx) => {
      ctx.progress('page 1\ndata: [DONE]', 50);
      ctx.progress('page 2', 900);
      return Promise.resolve({ content: 'ok' });
    });

    const { events } = await invoke(chatty);

    const progress = events.filter((event) => event.type === 'tool.progress');
    expect(progress.map(({ label, percent }) => [label, percent])).to.deep.equal([
      ['page 1 data: [DONE]', 50],
      ['page 2', 100],
    ]);
  });

  it('admits nothing when a check itself breaks', async () => {
    let ran = false;
    const run = () => {
      ran = true;
      return Promise.resolve({ content: 'x' });
    };
    const brokenTouches = aTool(run, {
      touches: () => {
        throw new Error('oops');
      },
    });
    const brokenPolicy = aContext({ mayUse: () => Promise.reject(new Error('database gone')) });

    const first = await invoke(brokenTouches);
    const second = await invoke(aTool(run, { touches: () => [{ kind: 'assistant', id: 1 }] }), brokenPolicy);

    expect([first.outcome, second.outcome]).to.deep.equal([FAILED, FAILED]);
    expect(ran).to.equal(false);
  });

  it('denies what the policy denies, in words that tell nothing, and has it audited', async () => {
    const denials: object[] = [];
    const context = aContext({
      mayUse: () => Promise.resolve({ allowed: false, rule: 'none', reason: 'belongs to bob' }),
      audit: (denial) => denials.push(denial),
    });

    const { outcome, events } = await invoke(
      aTool(() => Promise.resolve({ content: 'x' }), { touches: () => [{ kind: 'assistant', id: 7 }] }),
      context,
    );

    expect(outcome).to.have.property('reason').that.does.not.contain('bob');
    expect(events.map(({ type }) => type)).to.deep.equal(['tool.denied']);
    expect(denials).to.deep.equal([
      { action: 'use in a tool call', resource: 'assistant 7', reason: 'belongs to bob' },
    ]);
  });

  describe('with a tool that can do without some of what it touches', () => {
    const touching = (config: Record<string, unknown>) =>
      (config['ids'] as string[]).map((id) => ({ kind: 'collection', id }) as const);
    const only = (...allowed: string[]) =>
      aContext({
        mayUse: ({ id }) =>
          Promise.resolve(
            allowed.includes(String(id))
              ? { allowed: true, rule: 'owner' }
              : { allowed: false, rule: 'none', reason: 'no' },
          ),
      });
    const reader = (without: AnyTool['without']) => {
      const read: unknown[] = [];
      const tool = {
        ...aTool(() => Promise.resolve({ content: '' }), without ? { without } : {}),
        touches: (_args: unknown, config: Record<string, unknown>) => touching(config),
        run: (_args: unknown, { ids }: Record<string, unknown>) => {
          read.push(ids);
          return Promise.resolve({ content: 'read' });
        },
      } as AnyTool;
      return { tool, read };
    };
    const honest: AnyTool['without'] = ({ ids }, refused) => ({
      ids: (ids as string[]).filter((id) => !refused.some((one) => one.id === id)),
    });

    it('hands it the rest', async () => {
      const { tool, read } = reader(honest);
      const { outcome, events } = await invoke(tool, only('a'), { ids: ['a', 'b', 'c'] });
      expect(outcome.ok).to.equal(true);
      expect(read).to.deep.equal([['a']]);
      expect(events.at(-1)).to.have.property('label').that.contains('2 not available');
    });

    for (const [what, without, allowed] of [
      ['there is no rest', honest, []],
      ['it does not leave out what it was told to', (config: Record<string, unknown>) => config, ['a']],
      ['it puts something else in its place', () => ({ ids: ['a', 'd'] }), ['a']],
      ['it does not say how', undefined, ['a']],
    ] as const)
      it(`refuses it when ${what}`, async () => {
        const { tool, read } = reader(without);
        const { events } = await invoke(tool, only(...allowed), { ids: ['a', 'b'] });
        expect(events.map(({ type }) => type)).to.deep.equal(['tool.denied']);
        expect(read).to.deep.equal([]);
      });
  });

  it('keeps from a tool all that decides, counts or remembers', async () => {
    let seen: string[] = [];
    await invoke(
      aTool((ctx) => {
        seen = Object.keys(ctx);
        return Promise.resolve({ content: '' });
      }),
    );

    expect(seen).to.include.members([
      ...Object.keys(aContext().toolServices()),
      'chat',
      'functionName',
      'progress',
    ]);
    expect(seen).not.to.include.oneOf([
      ...['policy', 'trace', 'audit', 'models', 'limits', 'deadline'],
      ...['currentAssistant', 'startChild', 'askApproval', 'around'],
    ]);
  });

  it('ends what a tool asks of others with the call, also when the tool forgets the signal', async () => {
    const signals: (AbortSignal | null | undefined)[] = [];
    const own = new AbortController();
    const context = aContext();
    const fetch = (_url: unknown, init?: RequestInit) => {
      signals.push(init?.signal);
      return new Promise<Response>(() => undefined);
    };
    const forgetful = aTool(
      async (ctx) => {
        void ctx.fetch('http://a.test/', { signal: own.signal });
        await ctx.fetch('http://b.test/');
        return { content: '' };
      },
      { timeoutMs: 20 },
    );

    const { outcome } = await invoke(forgetful, {
      ...context,
      toolServices: () => ({ ...context.toolServices(), fetch }),
    });

    expect(outcome).to.include({ ok: false, reason: 'The tool took too long.' });
    expect(signals.map((signal) => signal?.aborted)).to.deep.equal([true, true]);
  });

  it('drops reports past a thousand in one turn, and tells the next ones again', async () => {
    const chatty = aTool(async (ctx) => {
      for (let i = 1; i <= 5_000; i++) ctx.progress(String(i));
      await turn();
      ctx.progress('after the turn');
      return { content: '' };
    });

    const { events } = await invoke(chatty);

    const told = progressIn(events);
    expect([told.length, told[999], told[1000]]).to.deep.equal([1001, '1000', 'after the turn']);
    expect(events.at(-1)?.type).to.equal('tool.completed');
  });

  it('drops reports while whoever listens is slow, and those that come after the end', async () => {
    let goOn: () => void = () => undefined;
    let reporting: ToolContext['progress'] = () => undefined;
    const chatty = aTool(async (ctx) => {
      reporting = ctx.progress;
      ctx.progress('heard');
      ctx.progress('dropped');
      goOn();
      await turn();
      ctx.progress('heard again');
      return { content: '' };
    });

    const isFirst = (event: StatusEvent) => event.type === 'tool.progress' && event.label === 'heard';
    const { events } = await invoke(chatty, aContext(), {}, (event) =>
      isFirst(event) ? new Promise((resolve) => (goOn = resolve)) : undefined,
    );
    reporting('too late');
    await turn();

    expect(progressIn(events)).to.deep.equal(['heard', 'heard again']);
    expect(events.at(-1)?.type).to.equal('tool.completed');
  });

  it('hides what was filled in as a secret, wherever a tool brings it back', async () => {
    const secrets = createToolSecrets(
      new Map([['KEY', { hosts: ['api.example.org'], value: () => 'canary-0123' }]]),
    );
    const context = aContext();
    const around = () => ({ ...context.toolServices(), secrets });
    const echoing = aTool((ctx) => {
      const filled = ctx.secrets.fill('${secret:KEY}', new URL('https://api.example.org/'));
      ctx.progress(`with ${filled}`);
      const sources = [{ title: filled, url: `https://x.test/?k=${filled}` }];
      return Promise.resolve({
        content: `It was ${Buffer.from(filled).toString('hex')}, ${filled}.`,
        sources,
      });
    });
    const failing = aTool((ctx) =>
      Promise.reject(forbidden(ctx.secrets.fill('No, ${secret:KEY}.', new URL('https://api.example.org/')))),
    );

    const { outcome, events } = await invoke(echoing, { ...context, toolServices: around });
    const failed = await invoke(failing, { ...context, toolServices: around });

    expect(outcome).to.deep.equal({
      ok: true,
      content: 'It was [redacted], [redacted].',
      sources: [{ title: '[redacted]', url: 'https://x.test/?k=[redacted]' }],
    });
    expect(failed.outcome).to.include({ ok: false, reason: 'No, [redacted].' });
    expect(JSON.stringify(events)).not.to.contain('canary');
  });
});
