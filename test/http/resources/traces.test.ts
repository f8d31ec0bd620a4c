import { expect } from 'chai';
import type { EndedRun } from '../../../src/core/runs/telemetry.js';
import { openTracing } from '../../../src/telemetry/tracing.js';
import { type Fake, startFake } from '../../support/fakes/fakes.js';
import { sendJson } from '../../support/fakes/ledger-server.js';
import { call, say } from '../../support/fakes/model-script.js';
import {
  createTestService,
  endWorld,
  type TestService,
  weatherFunction,
} from '../../support/test-service.js';

/** As much of an OTLP request, in its JSON form, as is looked at here. */
interface TraceRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly schemaUrl?: string; readonly spans: readonly Span[] }[];
  }[];
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code: number };
  readonly attributes: readonly Attribute[];
}

/** An OpenTelemetry collector: takes what is sent to it, or answers with this status. */
const startCollector = (): Promise<Fake<TraceRequest>> =>
  startFake<TraceRequest>({
    subjectOf: ({ pathname }) => pathname,
    answer: ({ res }) => sendJson(res, 200, {}),
  });

const TRACES = '/v1/traces';
const INTERNAL = 1;
const CLIENT = 3;
const FAILED = 2;

const attributesOf = ({ attributes }: { readonly attributes: readonly Attribute[] }) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

const spansIn = (requests: readonly TraceRequest[]) =>
  requests
    .flatMap(({ resourceSpans }) => resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans);

describe('traces', function () {
  this.timeout(60_000);
  let collector: Fake<TraceRequest>;
  let world: TestService;
  let ids: { readonly child: number; readonly parent: number };
  let llms: { readonly child: string; readonly parent: string };
  let rows: Awaited<ReturnType<typeof collector.ledger>>;
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const ofClient = '00f067aa0ba902b7';
  const unsampled = '5bf92f3577b34da6a3ce929d0e0e4736';

  before(async () => {
    collector = await startCollector();
    world = await createTestService({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=class%20of%20300,x-other=1',
    });
    const { service } = world;
    const child = await world.assistant([say('The answer of the canary child.')], {
      name: 'Canary child',
      description: 'canary',
    });
    const asChild = {
      type: 'assistant',
      enabled: true,
      mode: 'function',
      config: { assistant_id: child.id },
    };
    const parent = await world.assistant(
      [
        call('get_weather', { city: 'Girona' }),
        call(`call_assistant_${String(child.id)}`, { query: 'canary question' }),
        call('not_offered', { canary: 'canary' }),
        say('A canary sings.'),
      ],
      { name: 'Canary parent', system_prompt: 'A canary prompt.', tools: [weatherFunction, asChild] },
    );
    ids = { child: child.id, parent: parent.id };
    llms = { child: child.model, parent: parent.model };
    const traceparent = `00-${traceId}-${ofClient}-01`;
    await service.chat(parent.id, 'What does the canary say?', { headers: { traceparent } });
    const again = await world.assistant([say('Unseen.'), say('Seen.')]);
    await service.chat(again.id, 'Hello?', { headers: { traceparent: `00-${unsampled}-${ofClient}-00` } });
    await service.chat(again.id, 'Hello?', { headers: { traceparent: 'of no shape' } });
    await service.stop();
    rows = await collector.ledger(TRACES);
  });
  after(async () => {
    await Promise.all([world.model.stop(), world.weather.stop(), collector.stop()]);
  });

  const spans = () => spansIn(rows.map(({ body }) => body));
  const ofTrace = () => spans().filter((span) => span.traceId === traceId);
  const named = (name: string) => {
    const found = ofTrace().filter((span) => span.name === name);
    expect(found, name).to.have.length(1);
    return found[0]!;
  };

  it('are sent by OTLP over HTTP, with the headers that were set, before the service has stopped', () => {
    const { method, headers, body } = rows[0]!;
    expect(method).to.equal('POST');
    expect(headers).to.include({
      ...{ 'content-type': 'application/json', 'x-team': 'class of 300', 'x-other': '1' },
    });
    const [first] = body.resourceSpans;
    expect(attributesOf(first!.resource)).to.deep.equal({ 'service.name': 'bellwether' });
  });

  it('say which version of the conventions they follow', () => {
    const scopes = rows.flatMap(({ body }) => body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans));

    const urls = new Set(scopes.map(({ schemaUrl }) => schemaUrl));
    expect([...urls]).to.deep.equal(['https://opentelemetry.io/schemas/1.41.0']);
  });

  it('have a span for the run, below the client’s own', () => {
    const [run] = ofTrace().filter(({ parentSpanId }) => parentSpanId === ofClient);

    expect(run).to.deep.include({ name: 'invoke_agent', kind: INTERNAL, status: { code: 0 } });
    const { 'bellwether.run.id': id, ...facts } = attributesOf(run!);
    expect(id).to.match(/^run_/);
    expect(facts).to.deep.equal({
      ...{ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.id': String(ids.parent) },
      ...{ 'gen_ai.provider.name': 'openai', 'gen_ai.request.model': llms.parent },
      // Four of its own and one of its child.
      ...{ 'gen_ai.usage.input_tokens': 50, 'gen_ai.usage.output_tokens': 25 },
      ...{ 'bellwether.assistant.version': 1, 'bellwether.run.status': 'completed' },
    });
  });

  it('have one for each call of a model and of a tool, below the run', () => {
    const [run] = ofTrace().filter(({ parentSpanId }) => parentSpanId === ofClient);
    const below = ofTrace().filter(({ parentSpanId }) => parentSpanId === run!.spanId);

    expect(below.map(({ name }) => name)).to.deep.equal([
      ...[`chat ${llms.parent}`, 'execute_tool weather'],
      ...[`chat ${llms.parent}`, 'execute_tool assistant'],
      ...[`chat ${llms.parent}`, 'execute_tool unknown', `chat ${llms.parent}`],
    ]);
    expect(attributesOf(below[0]!)).to.deep.equal({
      ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'openai' },
      'gen_ai.request.model': llms.parent,
      ...{ 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 5 },
    });
    expect(below[0]!.kind).to.equal(CLIENT);
    expect(attributesOf(named('execute_tool weather'))).to.deep.equal({
      ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'weather' },
      'gen_ai.tool.type': 'function',
    });
    const refused = named('execute_tool unknown');
    expect([refused.status.code, attributesOf(refused)['error.type']]).to.deep.equal([FAILED, 'denied']);
  });

  it('have the run of another assistant below the call that asked for it', () => {
    const asked = named('execute_tool assistant');
    const child = ofTrace().find(({ parentSpanId }) => parentSpanId === asked.spanId);

    expect(attributesOf(child!)['gen_ai.agent.id']).to.equal(String(ids.child));
    expect(named(`chat ${llms.child}`).parentSpanId).to.equal(child!.spanId);
    expect(BigInt(child!.startTimeUnixNano) >= BigInt(asked.startTimeUnixNano)).to.equal(true);
    expect(BigInt(child!.endTimeUnixNano) <= BigInt(asked.endTimeUnixNano)).to.equal(true);
  });

  it('are left out where the client’s own is, and begin anew where it cannot be read', () => {
    expect(spans().filter((span) => span.traceId === unsampled)).to.deep.equal([]);
    const others = spans().filter((span) => span.traceId !== traceId);
    expect(others.map(({ name }) => name.split(' ')[0])).to.have.members(['invoke_agent', 'chat']);
    expect(others.filter(({ parentSpanId }) => !parentSpanId)).to.have.length(1);
  });

  it('hold nothing that anybody said, wrote or is called', () => {
    const sent = JSON.stringify(rows.map(({ body }) => body));

    expect(sent).not.to.match(/canary|girona|admin@|sk-/i);
  });
});

describe('a collector of traces', function () {
  this.timeout(30_000);

  const aRun = (i: number): EndedRun => ({
    record: {
      ...{ id: `run_${String(i)}`, parentRunId: undefined, assistantId: 1, assistantVersion: 1 },
      ...{ organizationId: 1, userId: 1, via: 'api', conversationId: undefined, activityId: undefined },
      ...{ status: 'completed', errorCode: undefined, startedAt: new Date().toISOString(), ms: 1 },
      ...{ iterations: 1, capped: false, usage: { promptTokens: 1, completionTokens: 1 }, steps: [] },
    },
    ...{ firstTextMs: 1, isHandedOver: false, traceparent: undefined },
  });

  it('that refuses all that is sent to it costs one line in the log', async () => {
    let requests = 0;
    let heardTwice: () => void = () => undefined;
    const twice = new Promise<void>((resolve) => {
      heardTwice = resolve;
    });
    const collector = await startFake({
      subjectOf: ({ pathname }) => pathname,
      answer: ({ res }) => {
        requests += 1;
        if (requests === 2) heardTwice();
        return sendJson(res, 400, {});
      },
    });
    const lines: string[] = [];
    const note = (_facts: object, line: string) => lines.push(line);
    const log = { debug: note, info: note, warn: note, error: note };
    const config = { endpoint: collector.url, headers: {} };
    const tracing = openTracing(config, { log, providerOf: (name) => name });

    // More than are sent at once.
    for (let i = 0; i < 1_200; i++) tracing.runEnded(aRun(i));
    await twice;
    await tracing.close();

    expect(lines).to.deep.equal(['traces cannot be sent to OTEL_EXPORTER_OTLP_ENDPOINT']);
    await collector.stop();
  });

  it('that never answers keeps neither an answer nor the stop of the service waiting for long', async () => {
    const silent = await startFake({ subjectOf: () => TRACES, answer: () => new Promise(() => undefined) });
    const world = await createTestService({ OTEL_EXPORTER_OTLP_ENDPOINT: silent.url });
    const { id } = await world.assistant([say('Hello.')], { repeat: true });

    for (let i = 0; i < 5; i++) expect((await world.service.chat(id, 'Hello?')).status).to.equal(200);
    const stopping = performance.now();
    await endWorld(world);

    expect(performance.now() - stopping).to.be.lessThan(10_000);
    await silent.stop();
  });
});
