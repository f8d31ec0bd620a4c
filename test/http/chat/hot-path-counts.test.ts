import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { chatInStep, type SteppedModel, startSteppedModel } from '../../support/lockstep.js';
import { type ServiceProcess, startServiceProcess } from '../../support/service.js';
import { makeToolFolder, type ToolFolder } from '../../support/tool-folder.js';

interface Counts {
  readonly parses: number;
  readonly stringifies: number;
  /** In characters. */
  readonly written: number;
  readonly hashed: number;
  readonly promises: number;
  readonly controllers: number;
  readonly writes: number;
  /** What these were made of. */
  readonly pieces: number;
  readonly statements: readonly string[];
  readonly built: number;
  readonly conversions: number;
}

const COUNTING = resolve('test/support/counting.mjs');

/** A tool whose schema tells when it is turned into the JSON Schema that models are shown. */
const CONVERTED = `
import { defineTool } from 'bellwether/tool';
import { z } from 'zod';

const word = z.string();
word._zod.toJSONSchema = () => {
  globalThis.countConversion();
  return { type: 'string' };
};
export default defineTool({
  ...{ name: 'converted', title: 'Converted', description: 'Does nothing.', category: 'test', version: '1.0.0' },
  ...{ danger: 'read', repeatable: true, config: z.object({}), args: z.object({ word }) },
  asFunction: () => ({ name: 'convert' }),
  touches: () => [],
  status: () => 'doing nothing',
  run: () => Promise.resolve({ content: '' }),
});
`;

/**
 * Exact, because the model sends each piece of its answer only when the one before it has reached the client: what is
 * counted depends on nobody's speed. A count that grows is a cost that every chat pays; one that shrinks is put here.
 */
describe('what a warmed chat costs', function () {
  this.timeout(60_000);
  let service: ServiceProcess;
  let model: SteppedModel;
  let plain: number;
  let withTools: number;
  let limited: number;
  let folder: ToolFolder;
  before(async () => {
    model = await startSteppedModel();
    folder = await makeToolFolder({ 'converted.mjs': CONVERTED });
    service = await startServiceProcess({
      NODE_OPTIONS: `--import=${COUNTING}`,
      OPENAI_API_KEY: 'sk-test-0123456789',
      OPENAI_BASE_URL: `${model.url}/v1`,
      TOOLS_DIR: folder.path,
    });
    const made = async (tools: readonly object[]) =>
      (
        await service.createAssistant({
          metadata: { _format_version: 2, connector: 'openai', llm: 'm', tools },
        })
      ).id;
    plain = await made([]);
    withTools = await made(Array.from({ length: 100 }, (_, i) => aTool(`tool ${String(i)}`)));
    limited = await made([]);
    for (const budget of [
      { unit: 'tokens', period: 'day' },
      { unit: 'tokens', period: 'month' },
      { unit: 'requests', period: 'day' },
    ]) {
      const body = { scope: { type: 'assistant', id: limited }, amount: 1_000_000_000, ...budget };
      expect((await service.request('/lamb/v1/budgets', { body })).status).to.equal(201);
    }
    const firstWithTools = await chat({ id: withTools });
    expect(firstWithTools.conversions, 'conversions are counted').to.be.at.least(1);
    for (const id of [plain, withTools, limited, plain]) await chat({ reads: 2, id });
  });
  after(async () => {
    await service.stop();
    model.stop();
    await folder.remove();
  });

  /** The counts of one streamed chat, from its first byte to its line in the log. */
  async function chat({
    reads = 1,
    eventsARead = 1,
    id = plain,
    calls = 0,
    history = [] as readonly object[],
  }): Promise<Counts> {
    await counted();
    const body = { model: String(id), messages: [...history, { role: 'user', content: 'Hello?' }] };
    const pieces = Array.from({ length: reads }, () =>
      Array.from({ length: eventsARead }, () => `${randomUUID()} `),
    );
    const where = { url: service.url, key: service.adminKey, body };
    const names = Array.from({ length: calls }, (_, i) => (i === 0 ? 'convert' : `tool_${String(i)}`));
    const round = calls === 0 ? undefined : { names, args: { word: 'x' } };
    const { runId, text } = await chatInStep(where, model, pieces, round);
    expect(text).to.equal(pieces.flat().join(''));
    await service.waitForLog(({ runId: of, msg }) => of === runId && msg === 'request');
    return counted();
  }

  let askings = 0;
  /** What has been counted since it was last told. */
  async function counted(): Promise<Counts> {
    const wanted = ++askings;
    process.kill(service.pid, 'SIGUSR2');
    const { counts } = await service.waitForLog(({ told }) => told === wanted);
    return counts as Counts;
  }

  it('is two statements: a look at what has changed, and the record', async () => {
    const { statements, built } = await chat({});

    // Everything that is read of the database is in memory; the look holds until something is waited for, and the body has
    // come meanwhile.
    expect(statements).to.deep.equal(['SELECT organizations + users', 'INSERT INTO recorded_run SELECT']);
    // The query builder costs more than what it builds: no statement of a chat goes through it.
    expect(built).to.equal(0);
  });

  it('is one statement more where budgets apply, however many: what it may cost is set aside', async () => {
    const { statements, built } = await chat({ id: limited });

    expect(statements).to.deep.equal([
      'SELECT organizations + users',
      'INSERT INTO budget_reserving VALUES',
      'INSERT INTO settled_recorded_run VALUES',
    ]);
    expect(built).to.equal(0);
  });

  it('is one look more for a round of tools, however many are called in it', async () => {
    const [one, three] = [await chat({ id: withTools, calls: 1 }), await chat({ id: withTools, calls: 3 })];

    const looks = ['SELECT organizations + users', 'SELECT organizations + users'];
    expect(one.statements).to.deep.equal([...looks, 'INSERT INTO recorded_run SELECT']);
    // Whether each may still be made is asked for each; what has changed since is the same for all.
    expect(three.statements).to.deep.equal(one.statements);
  });

  it('is three readings of JSON, however long the answer is', async () => {
    const [short, long] = [await chat({}), await chat({ reads: 20, eventsARead: 5 })];

    // The request; of the reply its end and its usage.
    expect(short.parses).to.equal(3);
    // The 100 events with words are recognised, not parsed.
    expect(long.parses).to.equal(3);
  });

  it('is one writing of JSON for each read of the answer, however many events it brings', async () => {
    const [one, ten, tenOfFive] = [
      await chat({}),
      await chat({ reads: 10 }),
      await chat({ reads: 10, eventsARead: 5 }),
    ];

    // The frame's text is the only thing that is put into words anew.
    expect(ten.stringifies - one.stringifies).to.equal(9);
    expect(tenOfFive.stringifies).to.equal(ten.stringifies);
    // The head of the frames, three statuses, the ending and its reason, the question and what it is about, the record, the
    // text.
    expect(one.stringifies).to.equal(10);
  });

  it('is a history written as JSON once and hashed once, however often the model is asked', async () => {
    const history = Array.from({ length: 20 }, (_, i) => ({
      role: i % 2 === 0 ? 'user' : 'assistant',
      content: `${String(i)} ${'word '.repeat(400)}`,
    }));

    const [short, long] = [
      await chat({ id: withTools, calls: 1 }),
      await chat({ id: withTools, calls: 1, history }),
    ];

    // The record holds how long it was.
    const digits = 20;
    expect(long.written - short.written).to.be.closeTo(JSON.stringify(history).length, digits);
    const said = history.map(({ role, content }) => `${role}\0${content}\0`).join('');
    expect(long.hashed - short.hashed).to.equal(said.length);
  });

  it('is one write to the client for each read of the answer, one before and one after', async () => {
    const [one, ten, tenOfFive] = [
      await chat({}),
      await chat({ reads: 10 }),
      await chat({ reads: 10, eventsARead: 5 }),
    ];

    // Headers, role and statuses leave together; so do the end, [DONE] and the last chunk.
    expect(one.writes).to.equal(3);
    // What is read at once is written at once.
    expect(ten.writes).to.equal(12);
    expect(tenOfFive.writes).to.equal(12);
    // With the length that goes before it.
    expect(ten.pieces - one.pieces).to.equal(9);
  });

  it('is no promise for a read of the answer, however many events it brings', async () => {
    const [ten, twenty, tenOfFive] = [
      await chat({ reads: 10 }),
      await chat({ reads: 20 }),
      await chat({ reads: 10, eventsARead: 5 }),
    ];

    // Bytes that come are read, told and put into a frame in one turn.
    expect([twenty.promises, tenOfFive.promises]).to.deep.equal([ten.promises, ten.promises]);
    // Of everything around them; Nodes differ by a few.
    expect(ten.promises).to.be.at.most(175);
  });

  it('is few promises more for one more call of a tool: what it tells is heard at once', async () => {
    const [one, three] = [await chat({ id: withTools, calls: 1 }), await chat({ id: withTools, calls: 3 })];

    expect((three.promises - one.promises) / 2).to.be.at.most(60);
  });

  it('is one controller, for the client that may leave and for the time that may run out', async () => {
    expect((await chat({ reads: 10 })).controllers).to.equal(1);
  });

  it('is no connection to the provider: all chats one after the other share the first', async () => {
    const before = model.connections();
    for (let i = 0; i < 10; i++) await chat({});

    expect([before, model.connections()]).to.deep.equal([1, 1]);
  });

  it('is no more for 100 tools: they are laid out and described once', async () => {
    const [none, hundred] = [await chat({ reads: 2 }), await chat({ reads: 2, id: withTools })];

    // Schemas that were converted or copied by way of JSON, or asked about, would show here.
    expect(difference(hundred, none)).to.deep.equal({ parses: 0, stringifies: 0, writes: 0, controllers: 0 });
    expect(hundred.statements).to.deep.equal(none.statements);
    expect(hundred.conversions).to.equal(0);
    expect(hundred.promises).to.equal(none.promises);
  });
});

const aTool = (name: string) => ({ type: 'converted', name, enabled: true, mode: 'function', config: {} });

function difference(a: Counts, b: Counts) {
  const { parses, stringifies, writes, controllers } = a;
  return {
    parses: parses - b.parses,
    stringifies: stringifies - b.stringifies,
    writes: writes - b.writes,
    controllers: controllers - b.controllers,
  };
}
