import { DynamicStructuredTool, DynamicTool, StructuredTool, Tool } from '@langchain/core/tools';
import { ToolMessage } from '@langchain/core/messages';
import { expect } from 'chai';
import { tool } from 'langchain';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { fromLangChainTool } from '../../src/core/from-langchain-tool.js';
import { callerEmail } from '../../src/core/identity.js';
import { faultsOfTool } from '../../src/plugins/tool-faults.js';
import type { AnyTool } from '../../src/core/tool.js';
import { callTool, specsOf } from '../support/call-tool.js';

const ALLOWED = { entry: { approval: 'always-allowed' } } as const;
const call = async (made: AnyTool, args: object) => (await callTool(made, args, ALLOWED)).outcome;
const content = (text: string) => ({ ok: true, content: text, sources: [] });

const saying = (result: unknown, more: object = {}) =>
  fromLangChainTool(
    tool(() => Promise.resolve(result), {
      name: 'say',
      description: 'Says it.',
      schema: z.object({}),
      ...more,
    }),
  );

const describeWalk = ({ metres, pace }: { metres: number; pace: number }) =>
  `${String(metres)} at ${String(pace)}`;
const walk = { name: 'plan-walk', description: 'Plans a walk.' };
const parts = z.object({
  metres: z.number().min(1).describe('How far'),
  pace: z.number().default(5),
});
const WALKS = {
  'tool() with zod 4': tool((args) => describeWalk(args), { ...walk, schema: parts }),
  'DynamicStructuredTool with zod 4': new DynamicStructuredTool({
    ...walk,
    schema: parts,
    func: (args) => Promise.resolve(describeWalk(args)),
  }),
  'tool() with zod 3': tool((args) => describeWalk(args), {
    ...walk,
    // LangChain's types of zod 3 do not go with exactOptionalPropertyTypes.
    schema: z3.object({
      metres: z3.number().min(1).describe('How far'),
      pace: z3.number().default(5),
    }) as unknown as typeof parts,
  }),
  'tool() with JSON Schema': tool((args) => describeWalk(args as { metres: number; pace: number }), {
    ...walk,
    schema: {
      type: 'object',
      properties: {
        metres: { type: 'number', minimum: 1, description: 'How far' },
        pace: { type: 'number', default: 5 },
      },
      required: ['metres'],
    },
  }),
};

describe('fromLangChainTool', () => {
  for (const [kind, foreign] of Object.entries(WALKS)) {
    describe(`of ${kind}`, () => {
      const made = fromLangChainTool(foreign);

      it('tells the model what it may and what it must set', async () => {
        const [spec] = await specsOf(made);

        expect(spec).to.deep.include({ name: 'plan-walk', description: 'Plans a walk.' });
        expect(spec?.parameters).to.deep.equal({
          type: 'object',
          properties: {
            metres: { type: 'number', minimum: 1, description: 'How far' },
            pace: { type: 'number', default: 5 },
          },
          required: ['metres'],
          additionalProperties: false,
        });
      });

      it('runs with the defaults filled in', async () => {
        expect(await call(made, { metres: 3 })).to.deep.equal(content('3 at 5'));
      });

      for (const [what, args] of Object.entries({
        'lacks what is required': { pace: 1 },
        'is out of range': { metres: 0 },
        'has a key too many': { metres: 3, more: 1 },
      })) {
        it(`is kept from it by the gate when a call ${what}`, async () => {
          const { outcome, events } = await callTool(made, args, ALLOWED);

          expect(outcome)
            .to.have.property('reason')
            .that.matches(/^The arguments do not fit\. /);
          expect(events.map(({ type }) => type)).to.deep.equal(['tool.failed']);
        });
      }
    });
  }

  it('derives all that a tool needs, and is a tool without fault', () => {
    const made = fromLangChainTool(
      tool(() => '', { name: 'Wiki-PediaQuery Run', description: ' ', schema: z.object({}) }),
    );

    expect(faultsOfTool(made)).to.deep.equal([]);
    expect(made).to.include({
      name: 'wiki_pedia_query_run',
      title: 'Wiki pedia query run',
      description: 'Wiki pedia query run',
      category: 'langchain',
      version: '1.0.0',
      danger: 'external',
    });
    expect(made.asFunction?.({})).to.deep.equal({ name: 'Wiki-PediaQuery_Run' });
  });

  for (const name of ['7zip', '名前', 'x'.repeat(90), '__']) {
    it(`makes "${name.slice(0, 8)}" fit`, () => {
      const foreign = {
        name,
        description: 'x',
        schema: { type: 'object' },
        invoke: () => Promise.resolve(''),
      };

      expect(faultsOfTool(fromLangChainTool(foreign))).to.deep.equal([]);
    });
  }

  it('lets its registrar say otherwise, fill a placeholder and bind an argument to the Caller', async () => {
    const letter = tool(({ to, text }) => `${to}: ${text}`, {
      name: 'letter',
      description: 'Writes.',
      schema: z.object({ to: z.string(), text: z.string() }),
    });
    const made = fromLangChainTool(letter, {
      title: 'Post',
      danger: 'read',
      placeholder: 'letter',
      argsFromChat: () => ({ text: 'from the chat' }),
      bound: { to: callerEmail },
    });

    const filled = await callTool(made, {}, { entry: { mode: 'placeholder', placeholder: 'letter' } });
    const [spec] = await specsOf(made);

    expect(faultsOfTool(made)).to.deep.equal([]);
    expect(filled.outcome).to.deep.equal(content('owner@example.test: from the chat'));
    expect(spec?.parameters['properties']).to.have.all.keys('text');
  });

  it('needs the owner’s approval: foreign code reaches where it likes', async () => {
    let ran = false;
    const made = fromLangChainTool(
      new DynamicTool({ name: 'reach', description: 'x', func: () => Promise.resolve(String((ran = true))) }),
    );

    const { outcome } = await callTool(made, { input: 'x' });

    expect(outcome).to.include({ ok: false, reason: 'This assistant may not do that.' });
    expect(ran).to.equal(false);
  });

  it('gives a tool of one text its text, which cannot be left out', async () => {
    class Shout extends Tool {
      override name = 'shout';
      override description = 'Says it louder.';
      protected override _call(input: string): Promise<string> {
        return Promise.resolve(input.toUpperCase());
      }
    }
    const made = fromLangChainTool(new Shout());

    expect(await call(made, { input: 'hey' })).to.deep.equal(content('HEY'));
    expect((await specsOf(made))[0]?.parameters).to.have.deep.property('required', ['input']);
    expect(await call(made, {})).to.have.property('ok', false);
  });

  it('takes a class of one’s own, and turns its input once', async () => {
    const schema = z.object({ day: z.string().transform((text) => `${text}!`) });
    class Calendar extends StructuredTool<typeof schema> {
      override name = 'calendar';
      override description = 'Tells the day.';
      override schema = schema;
      protected override _call({ day }: z.output<typeof schema>): Promise<string> {
        return Promise.resolve(day);
      }
    }

    expect(await call(fromLangChainTool(new Calendar()), { day: 'Monday' })).to.deep.equal(
      content('Monday!'),
    );
  });

  it('tells the model which rule of the tool’s own its arguments break', async () => {
    const even = z.object({ n: z.number().refine((n) => n % 2 === 0, 'must be even') });
    const made = fromLangChainTool(tool(() => 'never', { name: 'halve', description: 'x', schema: even }));

    expect(await call(made, { n: 3 })).to.include({
      ok: false,
      reason: 'The arguments do not fit. n: must be even',
    });
  });

  const message = new ToolMessage({ content: 'from a message', tool_call_id: 'c1', artifact: { secret: 1 } });
  const RESULTS: readonly (readonly [string, unknown, string])[] = [
    ['a text', 'plain', 'plain'],
    [
      'content blocks',
      [
        { type: 'text', text: 'one' },
        { type: 'image_url', image_url: 'x' },
      ],
      'one\n[image_url: not a text]',
    ],
    ['a tool message', message, 'from a message'],
    ['an object', { a: [1, 2] }, '{"a":[1,2]}'],
    ['an empty list', [], '[]'],
    ['a number', 42, '42'],
    ['nothing', undefined, ''],
  ];
  for (const [what, result, text] of RESULTS) {
    it(`brings ${what} as text`, async () => {
      expect(await call(saying(result), {})).to.deep.equal(content(text));
    });
  }

  it('keeps an artifact from the model', async () => {
    const made = saying(['shown', { secret: 1 }], { responseFormat: 'content_and_artifact' });

    expect(await call(made, {})).to.deep.equal(content('shown'));
  });

  const failing = (thrown: unknown) =>
    fromLangChainTool(
      tool(() => Promise.reject(thrown as Error), { name: 'fail', description: 'x', schema: z.object({}) }),
    );
  const FAILURES = {
    'an error': failing(new Error('/home/secret at line 1')),
    'what is no error': failing('secret'),
    'a message of an error': saying(
      new ToolMessage({ content: 'secret', tool_call_id: 'c1', status: 'error' }),
    ),
    'what cannot be written down': saying({ big: 1n }),
  };
  for (const [what, made] of Object.entries(FAILURES)) {
    it(`says no more than that it failed of ${what}`, async () => {
      expect(await call(made, {})).to.include({ ok: false, reason: 'The tool failed.' });
    });
  }

  it('is told by its signal when its time is up', async () => {
    const heard: unknown[] = [];
    const wait = tool(
      (_args, config: { readonly signal?: AbortSignal }) =>
        new Promise<string>(() => config.signal?.addEventListener('abort', () => heard.push('end'))),
      { name: 'wait', description: 'x', schema: z.object({}) },
    );

    const outcome = await call(fromLangChainTool(wait, { timeoutMs: 20 }), {});

    expect(outcome).to.include({ ok: false, reason: 'The tool took too long.' });
    expect(heard).to.deep.equal(['end']);
  });

  it('refuses at once a schema that describes no object', () => {
    const foreign = {
      name: 'odd',
      description: 'x',
      schema: { type: 'string' },
      invoke: () => Promise.resolve(''),
    };

    expect(() => fromLangChainTool(foreign)).to.throw('must describe an object');
  });
});
