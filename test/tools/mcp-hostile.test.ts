import { expect } from 'chai';
import { allAtOnce } from '../http/support/api-client.js';
import { uniqueName } from '../support/fakes/fakes.js';
import { call, calls, say } from '../support/fakes/model-script.js';
import { mcpTool, type OutboundWorld } from '../support/outbound-service.js';
import { theOutboundWorld } from '../support/test-service.js';

const UNUSABLE = 'Error: The MCP server could not be reached or gave an unusable answer.';

describe('an MCP server that means no good', () => {
  let world: OutboundWorld;
  before(async () => {
    world = await theOutboundWorld();
  });
  const server = (variant: string, subject: string, ...tools: string[]) =>
    mcpTool({ server: `${world.mcp.url}/${variant}/${subject}`, tools });
  const asked = async (tool: object, ...names: string[]) => {
    const withArguments = names.map((name) => ({
      name,
      arguments: name === 'mcp_lookup' ? { word: 'x' } : {},
    }));
    const steps = [calls(withArguments), say('ok')];
    const assistant = await world.assistant(steps, { tools: [tool] });
    const stream = await world.service.stream(assistant.id, 'x');
    const { text } = await stream.whole();
    const [first] = await world.model.ledger(assistant.model);
    return { told: await world.told(assistant), functions: first?.body.tools ?? [], text, raw: stream.raw() };
  };
  const methods = async (subject: string) =>
    (await world.mcp.ledger(subject)).flatMap(({ body }) => body.method ?? []);

  describe('and poisons what it says of its tools', () => {
    const subject = uniqueName('poisoned');
    let seen: Awaited<ReturnType<typeof asked>>;
    before(async () => {
      seen = await asked(
        server('poisoned', subject, 'lookup'),
        'mcp_lookup',
        'mcp_delete_everything',
        'delete_everything',
      );
    });

    it('has its words cut, on one line, and said to be its own', () => {
      const [lookup] = seen.functions;
      const { description = '' } = lookup?.function ?? {};

      expect(seen.functions).to.have.length(1);
      expect(description).to.match(/^127\.0\.0\.1:\d+ says of it: Nice\. data: \[DONE\] SYSTEM: call/);
      expect(description.length).to.be.lessThan(1_050);
      expect(description).not.to.match(/[\p{Cc}\p{Zl}]/u);
    });

    it('has a schema that is short, flat enough, and runs nothing of its own', () => {
      const parameters = JSON.stringify(seen.functions[0]?.function.parameters);
      const { properties = {} } = (seen.functions[0]?.function.parameters ?? {}) as {
        properties?: Record<string, { title: string }>;
      };

      expect(parameters).not.to.match(/pattern|\$ref|\$defs|evil|not there/);
      expect(Object.keys(properties)).to.deep.equal(['word', 'elsewhere', 'again', 'tree']);
      expect(properties['word']?.title.length).to.equal(200);
      expect(parameters.match(/"x":/g) ?? []).to.have.length.lessThan(10);
    });

    it('gets one call, of the tool that is on the list', async () => {
      const rows = await world.mcp.ledger(subject);

      const called = rows
        .filter(({ body }) => body.method === 'tools/call')
        .map(({ body }) => body.params?.name);
      expect(called).to.deep.equal(['lookup']);
      expect(seen.told.slice(1)).to.deep.equal(
        Array(2).fill('Error: This is not available. Use only the functions that were offered.'),
      );
    });

    it('forges no frame', () => {
      expect(seen.text).to.equal('ok');
      expect(seen.raw.match(/^data: \[DONE\]$/gm)).to.have.length(1);
    });
  });

  it('and lies about its schemas loses the tools it lies about, and no others', async () => {
    const { functions, told } = await asked(
      server('lying', uniqueName('lying'), 'numbers', 'list', 'types', 'large', 'laughs', 'honest'),
      'mcp_laughs',
    );

    expect(functions.map((each) => each.function.name)).to.deep.equal([
      'mcp_list',
      'mcp_types',
      'mcp_laughs',
      'mcp_honest',
    ]);
    expect(JSON.stringify(functions).length).to.be.lessThan(5_000);
    expect(told).to.deep.equal(['Honestly.']);
  });

  describe('and answers a call', () => {
    const cases = {
      'with more than can be taken': [
        'huge',
        'pour',
        'Error: The other service sent more than can be taken.',
      ],
      'with a stream without end': [
        'endless',
        'pour',
        'Error: The other service sent more than can be taken.',
      ],
      never: ['silent', 'wait', 'Error: The tool took too long.'],
      'by hanging up': ['broken', 'break', UNUSABLE],
      'with an error of its own words': ['rude', 'refuse', UNUSABLE],
    } as const;
    type Case = keyof typeof cases;
    const asking = allAtOnce(Object.keys(cases) as Case[], async (each) => {
      world = await theOutboundWorld();
      const [variant, tool] = cases[each];
      const subject = uniqueName(variant);
      return { subject, ...(await asked(server(variant, subject, tool), `mcp_${tool}`)) };
    });
    for (const each of Object.keys(cases) as Case[]) {
      it(`${each} hurts that call alone`, async () => {
        const { told, text, raw, subject } = await asking(each);

        expect(told[0]?.replace('The other service could', 'The MCP server could')).to.equal(cases[each][2]);
        expect(text).to.equal('ok');
        expect(raw).not.to.contain('words of the server');
        if (each === 'with a stream without end' || each === 'never')
          await world.mcp.waitFor(subject, { closed: 1 });
      });
    }
  });

  describe('and does not list its tools', () => {
    const cases = ['endlessList', 'silentList', 'down'] as const;
    const asking = allAtOnce(cases, async (variant) => {
      world = await theOutboundWorld();
      return asked(server(variant, uniqueName(variant), 'one'), 'mcp_one');
    });
    for (const variant of cases) {
      it(`(${variant}) is left out, and the run goes on`, async () => {
        const { functions, told, text } = await asking(variant);

        expect(functions).to.deep.equal([]);
        expect(told).to.deep.equal([
          'Error: This is not available. Use only the functions that were offered.',
        ]);
        expect(text).to.equal('ok');
      });
    }
  });

  it('and has pages without end is read so far and no further', async () => {
    const subject = uniqueName('pages');

    const { functions } = await asked(server('pages', subject, 'one'), 'mcp_one');

    expect(functions).to.have.length(1);
    expect((await methods(subject)).filter((method) => method === 'tools/list')).to.have.length(10);
  });

  it('and asks for a model’s words, a person’s or a folder is refused each', async () => {
    const subject = uniqueName('asking');

    const brought = world.bring([call('mcp_ask'), say('ok')], server('asking', subject, 'ask'));
    // Discovery, greeting, its confirmation, the list, the call, and three answers.
    const rows = await world.mcp.waitFor(subject, { requests: 8 });
    await world.mcp.release(subject);

    expect(await brought).to.deep.equal(['Asked.']);
    const greeting = rows.find(({ body }) => body.method === 'initialize');
    const answers = rows.filter(({ body }) => body.method === undefined);
    expect(greeting?.body.params?.capabilities).to.deep.equal({});
    expect(answers.map(({ body }) => body.error?.code)).to.deep.equal([-32601, -32601, -32601]);
  });

  it('and says that its list has changed is asked for it anew', async () => {
    const subject = uniqueName('asking');
    const tool = server('asking', subject, 'ask');
    const steps = [call('mcp_ask'), say('ok')];
    await world.mcp.release(subject);

    await world.bring(steps, tool);
    await world.bring(steps, tool);

    expect((await methods(subject)).filter((method) => method === 'tools/list')).to.have.length(2);
  });
});
