import { setTimeout as pause } from 'node:timers/promises';
import { type SpanContext, SpanKind, type SpanStatus, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode, millisToHrTime, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  type ReadableSpan,
  type SpanExporter,
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

/**
 * Sends runs as traces, by OTLP. Spans are made when a run has ended, of what is on its record: while it goes on, tracing
 * costs it nothing, and no tracer is needed to follow what is over. Loaded when the setting is there, and with it the packages
 * of OpenTelemetry.
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
  const batches = new BatchSpanProcessor({ exporter: telling(exporter, log) });
  const children = createChildren();
  const ended: EndedRun[] = [];
  const emit = (planned: PlannedSpan, parent: SpanContext | undefined) => {
    const span = new EndedSpan(planned, parent);
    for (const child of planned.children) emit(child, span.spanContext());
    batches.onEnd(span);
  };
  const emitEnded = () => {
    for (const run of ended.splice(0)) {
      const parent = parentOf(run);
      const spans = spansOf(run, { childrenOf: children.take, providerOf });
      // A client that traces its own request says whether it is to be kept.
      if (!parent || (parent.traceFlags & TraceFlags.SAMPLED) !== 0)
        for (const span of spans) emit(span, parent);
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
      const flushed = batches.shutdown().catch(() => undefined);
      await Promise.race([flushed, pause(CLOSE_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}

const RESOURCE = resourceFromAttributes({ 'service.name': 'bellwether' });
const SCOPE = { name: 'bellwether', schemaUrl: CONVENTIONS };
const WELL: SpanStatus = { code: SpanStatusCode.UNSET };
const FAILED: SpanStatus = { code: SpanStatusCode.ERROR };
const ids = new RandomIdGenerator();

/** In the form in which OpenTelemetry's packages gather and send them. */
class EndedSpan implements ReadableSpan {
  readonly name;
  readonly kind;
  readonly spanContext;
  readonly parentSpanContext?: SpanContext;
  readonly startTime;
  readonly endTime;
  readonly duration;
  readonly status;
  readonly attributes: Record<string, string | number>;
  readonly links = [];
  readonly events = [];
  readonly ended = true;
  readonly resource = RESOURCE;
  readonly instrumentationScope = SCOPE;
  readonly droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;

  constructor(
    { name, isRemote, startedAt, ms, attributes, failure }: PlannedSpan,
    parent: SpanContext | undefined,
  ) {
    const context = {
      traceId: parent?.traceId ?? ids.generateTraceId(),
      spanId: ids.generateSpanId(),
      traceFlags: TraceFlags.SAMPLED,
    };
    this.name = name;
    this.kind = isRemote ? SpanKind.CLIENT : SpanKind.INTERNAL;
    this.spanContext = () => context;
    if (parent) this.parentSpanContext = parent;
    this.startTime = millisToHrTime(startedAt);
    this.endTime = millisToHrTime(startedAt + ms);
    this.duration = millisToHrTime(ms);
    this.status = failure === undefined ? WELL : FAILED;
    this.attributes = attributes;
  }
}

/** The client's own trace, where it has sent which. */
function parentOf({ traceparent }: EndedRun): SpanContext | undefined {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent);
  return parent ? { ...parent, isRemote: true } : undefined;
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
