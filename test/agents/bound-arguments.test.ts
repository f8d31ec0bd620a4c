import { expect } from 'chai';
import { z } from 'zod';
import { invokeTool } from '../../agents/gate/invoke-tool.js';
import type { ToolOutcome } from '../../agents/gate/invocation.js';
import { openToolbox } from '../../agents/gate/toolbox.js';
import type { ToolEntry } from '../../src/core/assistants/assistant.js';
import { callerEmail } from '../../src/core/identity.js';
import type { RunContext } from '../../src/core/runs/run-context.js';
import { defineTool, modelArgs } from '../../src/core/tool.js';
import { faultsOfTool } from '../../src/plugins/tool-faults.js';
import { toJsonSchema } from '../../src/core/json-schema.js';
import { aContext, anEntry } from '../support/run-context.js';

describe('an argument that is bound to the caller', () => {
  let ran: object[];
  beforeEach(() => {
    ran = [];
  });

  const diary = defineTool({
    name: 'diary',
    title: 'Diary',
    description: 'Reads a diary.',
    category: 'test',
    version: '1.0.0',
    danger: 'read',
    repeatable: false,
    placeholder: 'diary',
    config: z.object({}),
    args: z.object({ whose: z.string(), day: z.string().default('today') }),
    bound: { whose: callerEmail },
    asFunction: () => ({ name: 'read_diary' }),
    argsFromChat: () => ({}),
    touches: () => [],
    status: () => 'reading',
    run: (args) => {
      ran.push(args);
      return Promise.resolve({ content: `Diary of ${args.whose}` });
    },
  });

  /** A run of an assistant that has the tool, for somebody whose e-mail is known or not. */
  function aRun(
    mode: ToolEntry['mode'],
    verifiedEmail: string | undefined,
    denials: object[] = [],
  ): RunContext {
    const context = aContext({ audit: (denial) => denials.push(denial) });
    const tools = [anEntry({ type: 'diary', mode, placeholder: 'diary' })];
    const assistant = { ...context.assistant, setup: { ...context.assistant.setup, tools } };
    const caller = { ...context.caller, verifiedEmail };
    const facts = { assistant, caller };
    return {
      ...context,
      ...facts,
      toolServices: () => ({ ...context.toolServices(), ...facts }),
      currentAssistant: () => Promise.resolve(assistant),
    };
  }
  const box = (ctx: RunContext) => openToolbox(new Map([['diary', diary]]), ctx);

  async function callWith(args: string, ctx = aRun('function', 'sam@example.test')): Promise<ToolOutcome> {
    const ready = (await box(ctx)).functions.get('read_diary');
    return invokeTool(
      { site: { kind: 'tool', iteration: 1, callId: 'c1' }, ready, args: { fromModel: args } },
      ctx,
    );
  }

  it('is not among what the model is told, nor among what the catalogue shows', async () => {
    const [spec] = (await box(aRun('function', 'sam@example.test'))).specs;

    expect(JSON.stringify(spec)).not.to.contain('whose');
    expect(JSON.stringify(toJsonSchema(modelArgs(diary)))).not.to.contain('whose');
    expect(spec?.parameters['properties']).to.have.all.keys('day');
  });

  it('is filled from the caller at the call', async () => {
    const outcome = await callWith('{"day":"Monday"}');

    expect(outcome).to.include({ ok: true, content: 'Diary of sam@example.test' });
    expect(ran).to.deep.equal([{ whose: 'sam@example.test', day: 'Monday' }]);
  });

  for (const args of [
    '{"whose":"vera@example.test"}',
    '{"whose":"sam@example.test"}',
    '{"whose":null}',
    '{"day":"Monday","whose":["vera@example.test"]}',
    '{"day":"Monday","Whose":"vera@example.test"}',
    '{"__proto__":{"whose":"vera@example.test"}}',
    '[{"whose":"vera@example.test"}]',
  ]) {
    it(`is refused when the model sends ${args}, and the tool is not run`, async () => {
      const outcome = await callWith(args);

      expect(outcome.ok).to.equal(false);
      expect(ran).to.deep.equal([]);
    });
  }

  it('is filled in a placeholder as well', async () => {
    const ctx = aRun('placeholder', 'sam@example.test');
    const ready = (await box(ctx)).placeholders[0]?.ready;
    const site = { kind: 'placeholder', placeholder: 'diary', callId: 'p1' } as const;

    const outcome = await invokeTool({ site, ready, args: { fromChat: {} } }, ctx);

    expect(outcome).to.include({ ok: true, content: 'Diary of sam@example.test' });
    expect(ran).to.deep.equal([{ whose: 'sam@example.test', day: 'today' }]);
  });

  it('that nobody can fill stops the call, and that is audited', async () => {
    const denials: object[] = [];

    const outcome = await callWith('{}', aRun('function', undefined, denials));

    expect(outcome).to.include({ ok: false, reason: 'It is not known for whom this would be done.' });
    expect(ran).to.deep.equal([]);
    expect(denials).to.deep.equal([
      {
        action: 'use in a tool call',
        resource: 'tool diary',
        reason: 'It is not known for whom this would be done.',
      },
    ]);
  });

  it('whose identity breaks stops the call', async () => {
    const broken = {
      ...diary,
      bound: { whose: { label: 'x', of: () => Promise.reject(new Error('secret')) } },
    };
    const ctx = aRun('function', 'sam@example.test');
    const tools = new Map([['diary', broken]]);
    const ready = (await openToolbox(tools, ctx)).functions.get('read_diary');
    const site = { kind: 'tool', iteration: 1, callId: 'c1' } as const;

    const outcome = await invokeTool({ site, ready, args: { fromModel: '{}' } }, ctx);

    expect(outcome).to.include({ ok: false, reason: 'The tool failed.' });
    expect(ran).to.deep.equal([]);
  });

  it('must be an argument of the tool, or the file is refused', () => {
    expect(faultsOfTool({ ...diary, bound: { who: callerEmail } })).to.deep.equal([
      '"bound" names "who", which "args" does not have',
    ]);
  });

  it('cannot be one of functions that come from elsewhere, whose arguments the tool does not know', () => {
    const { asFunction: _one, ...rest } = diary;
    const faults = faultsOfTool({ ...rest, functions: () => Promise.resolve([]) });

    expect(faults).to.deep.equal([
      'it has both "functions" and "bound": only arguments in "args" can be bound',
    ]);
  });
});
