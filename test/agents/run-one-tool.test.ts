import { createCircuits } from '../../src/core/runs/circuit.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AttachmentIntake } from '../../src/core/attachments/attachment.js';
import type { Knex } from 'knex';
import { z } from 'zod';
import demo from '../../agents/connectors/demo.js';
import { createRunOneTool, type ToolRequest } from '../../agents/run/one-tool.js';
import { openDb } from '../../db/open.js';
import { createAccessPolicy } from '../../src/access/policy.js';
import type { Caller } from '../../src/core/access/caller.js';
import { newRunId } from '../../src/core/base/ids.js';
import type { StatusEvent } from '../../src/core/runs/event.js';
import type { Stores } from '../../src/core/stores.js';
import { type AnyTool, defineTool } from '../../src/core/tool.js';
import { aUser, storesOn } from '../db/fixtures.js';
import { aContext } from '../support/run-context.js';

const basics = {
  title: 'Probe',
  description: 'Probes',
  category: 'test',
  version: '1.0.0',
  danger: 'read',
  repeatable: false,
  config: z.object({
    list: z
      .string()
      .default('a,b')
      .transform((text) => text.split(',')),
  }),
  args: z.object({}),
  touches: () => [],
  status: () => 'probing',
} as const;

describe('a tool run directly', () => {
  let folder: string;
  let db: Knex;
  let stores: Stores;
  let caller: Caller;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bellwether-direct-'));
    db = await openDb({ kind: 'sqlite', file: join(folder, 'test.db') });
    stores = storesOn(db);
  });
  beforeEach(async () => {
    const { id: userId, ...user } = await aUser(stores);
    caller = { ...user, userId, via: 'api-key', credentialId: 'key:1' };
  });
  after(async () => {
    await db.destroy();
    await rm(folder, { recursive: true });
  });

  /** Runs the tool with everything real but the network. */
  async function run(
    tool: AnyTool,
    request: Partial<ToolRequest> = {},
    before?: (event: StatusEvent) => Promise<void>,
  ) {
    const { settings, limits, models, log, toolServices, pictures } = aContext();
    const runOneTool = createRunOneTool({
      stores,
      policy: createAccessPolicy({ ...stores, allowsLinks: () => Promise.resolve(false) }),
      plugins: {
        tools: new Map([[tool.name, tool]]),
        connectors: new Map([['demo', demo]]),
        processors: new Map(),
      },
      settingsOf: () => Promise.resolve(settings),
      fetch: toolServices().fetch,
      mcp: { of: () => toolServices().mcp },
      moodleFor: () => undefined,
      knowledgeFor: () => toolServices().knowledge,
      picturesFor: () => pictures,
      linkToSource: ({ kind, id }) => `https://here.test/sources/${kind}/${id}`,
      limits,
      circuits: createCircuits(0),
      runEnded: () => undefined,
      costOf: () => undefined,
      underWay: { begun: () => undefined, ended: () => undefined },
      admitRun: () => Promise.resolve(undefined),
      budgetOf: () => Promise.resolve(undefined),
      models,
      log,
      mayServe: () => Promise.resolve(true),
      onAccess: (assistant) => Promise.resolve(assistant),
      // A tool that is run by itself has no question that files could come with.
      attachmentIntake: {} as AttachmentIntake,
      examplesFor: () => undefined,
    });
    const runId = newRunId();
    const { signal } = new AbortController();
    const wanted = { runId, tool: tool.name, args: '{}', config: {}, caller, signal, ...request };
    const { start } = await runOneTool(wanted);
    const seen: StatusEvent[] = [];
    const ending = await start((event) => (seen.push(event) === 1 ? before?.(event) : undefined));
    return { ...ending, types: seen.map(({ type }) => type), record: await stores.runs.get(runId) };
  }

  it('is denied when the account was switched off after the request came in', async () => {
    let ran = false;
    const tool = defineTool({
      ...basics,
      name: 'probe',
      asFunction: () => ({ name: 'probe' }),
      run: () => {
        ran = true;
        return Promise.resolve({ content: 'ran' });
      },
    });

    const result = await run(tool, {}, async () => {
      await stores.users.update(caller.userId, { enabled: false });
    });

    expect(ran).to.equal(false);
    expect(result.ok).to.equal(false);
    expect(result.types).to.deep.equal(['run.started', 'tool.denied']);
    expect(result.record).to.include({ status: 'failed', errorCode: 'tool_failed', assistantId: undefined });
    const denials = await db('audit').where({ user_id: caller.userId, outcome: 'denied' }).pluck('resource');
    expect(denials).to.deep.equal(['tool probe']);
  });

  it('reads its configuration once: what a schema transforms is not transformed again', async () => {
    const tool = defineTool({
      ...basics,
      name: 'probe',
      asFunction: () => ({ name: 'probe' }),
      run: (_args, { list }) => Promise.resolve({ content: list.join('|') }),
    });

    expect((await run(tool, { config: { list: 'x,y' } })).text).to.equal('x|y');
  });

  it('cannot ask an assistant: that would be a run nobody made', async () => {
    const tool = defineTool({
      ...basics,
      name: 'probe',
      asFunction: () => ({ name: 'probe' }),
      run: async (_args, _config, ctx) => ({ content: (await ctx.askAssistant(1, 'Hello?', [])).text }),
    });

    const { ok, text } = await run(tool);

    expect({ ok, text }).to.deep.equal({
      ok: false,
      text: 'A tool that is run directly cannot ask an assistant.',
    });
  });

  it('asks the usual model of the caller’s organisation, and only when it wants one', async () => {
    const asking = (ask: boolean) =>
      defineTool({
        ...basics,
        name: 'probe',
        asFunction: () => ({ name: 'probe' }),
        run: async (_args, _config, ctx) => ({
          content: ask ? await ctx.askModel({ system: 'Be brief.', user: 'Hello?' }) : 'not asked',
        }),
      });

    const [asked, notAsked] = [await run(asking(true)), await run(asking(false))];

    expect(asked.ok).to.equal(true);
    expect(asked.usage.promptTokens).to.be.greaterThan(0);
    expect(asked.record?.steps.map(({ kind, tool }) => [kind, tool])).to.deep.equal([
      ['model', 'probe'],
      ['tool', 'probe'],
    ]);
    expect(notAsked.usage.promptTokens).to.equal(0);
    expect(notAsked.record?.steps).to.have.length(1);
  });

  it('is one of several functions where a tool has them, the first unless one is named', async () => {
    const tool = defineTool({
      ...basics,
      name: 'probe',
      functions: () =>
        Promise.resolve(
          ['one', 'two'].map((name) => ({ name, parameters: { type: 'object', properties: {} } })),
        ),
      run: (_args, _config, { functionName }) => Promise.resolve({ content: functionName }),
    });

    const [first, second, none] = [
      await run(tool),
      await run(tool, { functionName: 'two' }),
      await run(tool, { functionName: 'three' }),
    ];

    expect([first.text, second.text, none.ok]).to.deep.equal(['one', 'two', false]);
  });

  it('that writes runs only after somebody said yes', async () => {
    const ran: string[] = [];
    const tool = defineTool({
      ...basics,
      name: 'probe',
      danger: 'write',
      asFunction: () => ({ name: 'probe' }),
      run: () => {
        ran.push('ran');
        return Promise.resolve({ content: 'written' });
      },
    });
    const saying = (answer: 'approved' | 'refused') => ({
      askApproval: () => Promise.resolve({ expiresAt: '', answer: Promise.resolve(answer) }),
    });

    const [nobody, refused] = [await run(tool), await run(tool, saying('refused'))];
    const ranBefore = [...ran];
    const approved = await run(tool, saying('approved'));

    expect([nobody.ok, refused.ok, ranBefore]).to.deep.equal([false, false, []]);
    expect(approved.text).to.equal('written');
    expect(ran).to.deep.equal(['ran']);
  });

  it('does not begin for a name that is not installed, or for a tool that only fills a placeholder', async () => {
    const filler = defineTool({
      ...basics,
      name: 'probe',
      placeholder: 'probe',
      argsFromChat: () => ({}),
      run: () => Promise.resolve({ content: '' }),
    });
    const faultOf = (work: Promise<unknown>) =>
      work.then(
        () => 'none',
        (fault: unknown) => (fault as Error).message,
      );

    expect(await faultOf(run(filler, { tool: 'absent' }))).to.equal('A tool called "absent" was not found.');
    expect(await faultOf(run(filler))).to.include('only fills a placeholder');
    expect(await db('runs').where({ user_id: caller.userId })).to.deep.equal([]);
  });
});
