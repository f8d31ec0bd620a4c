import { expect } from 'chai';
import { uniqueName } from '../support/fakes/fakes.js';
import { call, calls, say } from '../support/fakes/model-script.js';
import { mcpTool, type OutboundWorld } from '../support/outbound-service.js';
import { theOutboundWorld } from '../support/test-service.js';

describe('mcp', () => {
  let world: OutboundWorld;
  before(async () => {
    world = await theOutboundWorld();
  });
  const at = (variant: string, subject = uniqueName(variant)) => `${world.mcp.url}/${variant}/${subject}`;
  const server = (...tools: string[]) => mcpTool({ server: at('tools'), tools });
  const ask = (tool: object, ...names: string[]) =>
    world.bring([calls(names.map((name) => ({ name, arguments: {} }))), say('ok')], tool);
  /** The functions that the model was offered. */
  const offered = async (...tools: object[]) => {
    const assistant = await world.assistant([say('ok')], { tools });
    await world.service.chat(assistant.id, 'x');
    const [request] = await world.model.ledger(assistant.model);
    return (request?.body.tools ?? []).map((each) => each.function);
  };
  const called = async (subject: string) =>
    (await world.mcp.ledger(subject)).flatMap(({ body }) =>
      body.method === 'tools/call' ? [body.params?.name] : [],
    );

  it('offers the tools on its list, with the server’s description and arguments, and calls them', async () => {
    const subject = uniqueName('add');
    const tool = mcpTool({ server: at('tools', subject), tools: ['add'] });

    const [add, ...others] = await offered(tool);
    const told = await world.bring([call('mcp_add', { a: 2, b: 3 }), say('ok')], tool);

    expect(others).to.deep.equal([]);
    expect(add).to.deep.include({ name: 'mcp_add' });
    expect(add?.description).to.equal(`${new URL(world.mcp.url).host} says of it: Adds two numbers. List 1.`);
    expect(add?.parameters).to.deep.equal({
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
      additionalProperties: false,
    });
    expect(told).to.deep.equal(['The sum is 5.']);
    expect(await called(subject)).to.deep.equal(['add']);
  });

  it('holds the model to the server’s schema before anything is sent', async () => {
    const subject = uniqueName('strict');
    const tool = mcpTool({ server: at('tools', subject), tools: ['add'] });

    const told = await world.bring(
      [
        calls([
          { name: 'mcp_add', arguments: { a: 'x', b: 1 } },
          { name: 'mcp_add', arguments: { a: 1, b: 1, c: 1 } },
        ]),
        say('ok'),
      ],
      tool,
    );

    expect(told[0]).to.match(/^Error: The arguments do not fit/);
    expect(told[1]).to.contain('Unrecognized key');
    expect(await called(subject)).to.deep.equal([]);
  });

  it('never calls what is not on its list, whatever the model says', async () => {
    const subject = uniqueName('listed');
    const tool = mcpTool({ server: at('tools', subject), tools: ['add'] });

    const told = await ask(
      tool,
      'mcp_delete.everything',
      'delete everything',
      'mcp_delete_everything',
      'mcp_failing',
    );

    expect(new Set(told)).to.deep.equal(
      new Set(['Error: This is not available. Use only the functions that were offered.']),
    );
    expect(await called(subject)).to.deep.equal([]);
  });

  it('names functions by a prefix, acceptably and each once, and still calls the right one', async () => {
    const tools = ['delete.everything', 'delete everything', 'add'];
    const one = mcpTool({ server: at('tools'), tools, prefix: 'library' });
    const two = mcpTool({ server: at('tools'), tools: ['add'], prefix: 'library' });

    const functions = await offered(one, two);
    const told = await ask(one, 'library_delete_everything_2', 'library_delete_everything');

    expect(functions.map(({ name }) => name)).to.deep.equal([
      'library_delete_everything',
      'library_delete_everything_2',
      'library_add',
      'library_add_2',
    ]);
    expect(told).to.deep.equal(['Gone as well.', 'Gone.']);
  });

  it('leaves out what the server does not have, and offers the rest', async () => {
    const functions = await offered(server('add', 'not there'));

    expect(functions.map(({ name }) => name)).to.deep.equal(['mcp_add']);
  });

  it('keeps texts, names what is none, and passes an error on in one line', async () => {
    const told = await ask(server('mixed', 'failing'), 'mcp_mixed', 'mcp_failing');

    expect(told).to.deep.equal([
      'First.\n\n[left out: image image/png]\n\nFrom a file.\n\n[left out: resource_link a link]\n\nLast.',
      'Error: The tool reported an error: No such book.',
    ]);
  });

  it('cuts what is long, with a mark', async () => {
    const [told] = await ask(server('long'), 'mcp_long');

    expect(told).to.match(/^x{100000}\n\[cut: 100000 of 500000 characters shown\]$/);
  });

  it('tells how far a call is, in our words and not in the server’s', async () => {
    const assistant = await world.assistant([call('mcp_steps'), say('ok')], { tools: [server('steps')] });

    const { statuses } = await (await world.service.stream(assistant.id, 'x')).whole();

    const progress = statuses.filter(({ type }) => type === 'tool.progress');
    expect(progress.map(({ label, percent }) => [label, percent])).to.deep.equal([
      ['waiting for steps', 25],
      ['waiting for steps', 50],
    ]);
    expect(JSON.stringify(statuses)).not.to.contain('secret');
  });

  it('labels each call with the server’s name and the function’s own', async () => {
    const script = [
      calls(['library_add', 'library_mixed'].map((name) => ({ name, arguments: {} }))),
      say('ok'),
    ];
    const labels = async (more: object) => {
      const tool = mcpTool({ server: at('tools'), tools: ['add', 'mixed'], prefix: 'library' }, more);
      const { id } = await world.assistant(script, { tools: [tool] });
      const { statuses } = await (await world.service.stream(id, 'x')).whole();
      return new Set(statuses.filter(({ type }) => type.startsWith('tool.')).map(({ label }) => label));
    };

    expect(await labels({})).to.deep.equal(new Set(['calling library: add', 'calling library: mixed']));
    expect(await labels({ name: 'Books' })).to.deep.equal(
      new Set(['calling Books: add', 'calling Books: mixed']),
    );
  });

  it('lists a server’s tools once for many runs, and connects once', async () => {
    const subject = uniqueName('once');
    const tool = mcpTool({ server: at('tools', subject), tools: ['add'] });

    for (let i = 0; i < 3; i++) await world.bring([call('mcp_add', { a: 1, b: i }), say('ok')], tool);

    const methods = (await world.mcp.ledger(subject)).map(({ body }) => body.method);
    expect(methods.filter((method) => method === 'tools/list')).to.have.length(1);
    expect(methods.filter((method) => method === 'server/discover')).to.have.length(1);
    expect(methods.filter((method) => method === 'tools/call')).to.have.length(3);
  });

  it('is refused while its owner has not approved it', async () => {
    const subject = uniqueName('unapproved');
    const config = { server: at('tools', subject), tools: ['add'] };

    const told = await world.bring(
      [call('mcp_add', { a: 1, b: 1 }), say('ok')],
      mcpTool(config, { approval: 'never' }),
    );

    expect(told).to.deep.equal(['Error: This assistant may not do that.']);
    expect(await called(subject)).to.deep.equal([]);
  });

  it('reaches no address that other tools may not reach', async () => {
    const config = { server: `${world.forbidden.url}/echo/mcp`, tools: ['add'] };
    const assistant = await world.assistant([say('ok')], { tools: [mcpTool(config)] });

    const { json } = await world.service.request<{ warnings: string[] }>(
      `/lamb/v1/assistants/${String(assistant.id)}/preview`,
      { body: { messages: [{ role: 'user', content: 'x' }] } },
    );

    expect(json.warnings.join()).to.contain('left out: This address may not be called from here.');
    expect(await world.forbidden.ledger('mcp')).to.deep.equal([]);
  });

  for (const [what, config, fault] of [
    ['no tools', { server: 'https://x.org/mcp', tools: [] }, /at least one tool/],
    ['no server', { tools: ['a'] }, /server/],
    ['a command for a server', { server: 'npx server', tools: ['a'] }, /http:\/\/ or https:\/\//],
    ['a password in the address', { server: 'https://a:b@x.org/', tools: ['a'] }, /user name/],
    ['a bad prefix', { server: 'https://x.org/', tools: ['a'], prefix: 'a b' }, /prefix/],
  ] as const) {
    it(`is not set up with ${what}`, async () => {
      const path = '/lamb/v1/completions/tools/mcp/validate';

      const { json } = await world.service.request<{ errors: string[] }>(path, { body: { config } });

      expect(json.errors.join()).to.match(fault);
    });
  }
});
