import { expect } from 'chai';
import { z } from 'zod';
import { type AnyTool, defineTool } from '../../src/core/tool.js';
import { callTool, specsOf } from '../support/call-tool.js';

/** A tool with as many functions as its configuration names, each with a parameter of its own. */
const phrases: AnyTool = defineTool({
  ...{
    name: 'phrases',
    title: 'Phrases',
    description: 'Says something.',
    category: 'test',
    version: '1.0.0',
  },
  danger: 'read',
  repeatable: true,
  config: z.object({ names: z.array(z.string()) }),
  args: z.looseObject({}),
  functions: ({ names }) =>
    Promise.resolve(
      names.map((name) => ({
        name,
        description: `Says ${name}.`,
        parameters: { type: 'object', properties: { [name]: { type: 'string', maxLength: 5 } } },
      })),
    ),
  touches: () => [],
  status: () => 'saying something',
  run: (args, _config, { functionName }) =>
    Promise.resolve({ content: `${functionName} ${JSON.stringify(args)}` }),
});

const entry = (names: readonly string[], more: object = {}) => ({ config: { names }, ...more });

describe('a tool with functions of its own making', () => {
  it('offers each with its own parameters, and no key beyond them', async () => {
    const specs = await specsOf(phrases, entry(['hello', 'bye']));

    expect(specs.map(({ name }) => name)).to.deep.equal(['hello', 'bye']);
    expect(specs[1]?.parameters).to.deep.equal({
      type: 'object',
      properties: { bye: { type: 'string', maxLength: 5 } },
      additionalProperties: false,
    });
  });

  it('is told which was called, and held to what that one takes', async () => {
    const config = entry(['hello', 'bye']);

    const fits = await callTool(phrases, { bye: 'now' }, { entry: config, functionName: 'bye' });
    const others = await callTool(phrases, { hello: 'now' }, { entry: config, functionName: 'bye' });
    const long = await callTool(phrases, { bye: 'for ever' }, { entry: config, functionName: 'bye' });

    expect(fits.outcome).to.include({ ok: true, content: 'bye {"bye":"now"}' });
    expect([others.outcome.ok, long.outcome.ok]).to.deep.equal([false, false]);
  });

  it('keeps its own descriptions where there are several, and takes the author’s where there is one', async () => {
    const described = { description: 'What the author says.' };

    const several = await specsOf(phrases, entry(['hello', 'bye'], described));
    const one = await specsOf(phrases, entry(['hello'], described));

    expect(several.map(({ description }) => description)).to.deep.equal(['Says hello.', 'Says bye.']);
    expect(one.map(({ description }) => description)).to.deep.equal(['What the author says.']);
  });

  it('is left out when its parameters are no description of an object', async () => {
    const odd: AnyTool = {
      ...phrases,
      functions: () => Promise.resolve([{ name: 'odd', parameters: { type: 'string' } }]),
    };

    expect(await specsOf(odd, entry(['x']))).to.deep.equal([]);
  });
});
