import { setTimeout as pause } from 'node:timers/promises';
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { errorLocation, type Logger } from '../core/log.js';
import type { EndedRun, TellEnded } from '../core/runs/telemetry.js';
import { CONVENTIONS, type PlannedSpan, type SpanDeps, spansOf } from './spans.js';

export interface TracingConfig {
  /** Of an OpenTelemetry collector, without the path of the signal. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Tracing {
  readonly runEnded: TellEnded;
  /** Sends what has not been sent yet, as far as that is possible within a moment. */
  close(): Promise<void>;
}

/** How long a collector may take to accept what is sent. */
const SEND_WITHIN_MS = 10_000;
/** Stopping waits no longer than this for the last spans to be sent. */
const CLOSE_WITHIN_MS = 2_000;
/** Longer than the names of tools and models are. */
const LONGEST_VALUE = 256;

/**
 * Sends runs as traces, by OTLP. Spans are made when a run has ended, of what is on its record: while it goes on, tracing
 * costs it nothing. Loaded when the setting is there, and with it the packages of OpenTelemetry.
 */
export function openTracing(
  { endpoint, headers }: TracingConfig,
  { log, providerOf }: { readonly log: Logger; readonly providerOf: SpanDeps['providerOf'] },
): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: SEND_WITHIN_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'bellwether' }),
    // A client that traces its own request says whether it is to be kept.
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanLimits: { attributeValueLengthLimit: LONGEST_VALUE },
    spanProcessors: [new BatchSpanProcessor({ exporter: telling(exporter, log) })],
  });
  const tracer = provider.getTracer('bellwether', undefined, { schemaUrl: CONVENTIONS });
  const children = createChildren();
  const ended: EndedRun[] = [];
  const emitEnded = () => {
    for (const run of ended.splice(0)) {
      const within = contextOf(run);
      for (const span of spansOf(run, { childrenOf: children.take, providerOf })) emit(span, within, tracer);
    }
  };

  return {
    runEnded(run) {
      if (run.record.parentRunId !== undefined) {
        children.keep(run.record.id, run);
        return;
      }
      // After its last words have been sent: nobody waits for a span.
      if (ended.length === 0) setImmediate(emitEnded);
      ended.push(run);
    },
    async close() {
      emitEnded();
      const flushed = provider.shutdown().catch(() => undefined);
      await Promise.race([flushed, pause(CLOSE_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}

function emit(planned: PlannedSpan, within: Context, tracer: Tracer): void {
  const { name, isRemote, startedAt, ms, attributes, failure } = planned;
  const kind = isRemote ? SpanKind.CLIENT : SpanKind.INTERNAL;
  const span = tracer.startSpan(name, { kind, startTime: startedAt, attributes: { ...attributes } }, within);
  if (failure !== undefined) {
    span.setAttribute('error.type', failure);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  const below = trace.setSpan(within, span);
  for (const child of planned.children) emit(child, below, tracer);
  span.end(new Date(startedAt.getTime() + ms));
}

/** The client's own trace, where it has sent which. */
function contextOf({ traceparent }: EndedRun): Context {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}

/** More wait for the end of their parents only where these never come to one. */
const MOST_KEPT = 1_000;

/** Runs that others asked for, until those have ended: a span is made after the one it stands below. */
function createChildren() {
  const kept = new Map<string, EndedRun>();
  return {
    keep(id: string, run: EndedRun) {
      const [oldest] = kept.keys();
      if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
      kept.set(id, run);
    },
    take(id: string): readonly EndedRun[] {
      const run = kept.get(id);
      kept.delete(id);
      return run ? [run] : [];
    },
  };
}

/** A collector that is away is told of once, and once more when it is back. */
function telling(exporter: SpanExporter, log: Logger): SpanExporter {
  let isFailing = false;
  const note = ({ code, error }: ExportResult) => {
    const failed = code !== ExportResultCode.SUCCESS;
    if (failed && !isFailing) {
      log.warn({ fault: errorLocation(error) }, 'traces cannot be sent to OTEL_EXPORTER_OTLP_ENDPOINT');
    }
    if (!failed && isFailing) log.info({}, 'traces are sent again');
    isFailing = failed;
  };
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        note(result);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
