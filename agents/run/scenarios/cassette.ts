import { createHash } from 'node:crypto';
import type { Connector, ModelRequest } from '../../../src/core/connector.js';
import { AppError } from '../../../src/core/errors.js';
import type { Plugins } from '../../../src/core/plugins.js';
import type { Recording } from '../../../src/core/scenarios/suite-run.js';
import type { AnyTool, ToolResult } from '../../../src/core/tool.js';
import type { RunContext, ToolContext } from '../../../src/core/runs/run-context.js';
import type { WholeReply } from '../../gate/ask-model.js';

/** Between a run and whatever it asks: it keeps what was said, or says it again. */
export interface Tape {
  /** What was kept for this, or else what asking brings. */
  pass<Said>(about: string, asked: unknown, ask: () => Promise<Said>): Promise<Said>;
  /** What was asked for and is not there, in words. */
  missing(): string | undefined;
  recording(): Recording | undefined;
}

/** Passes everything on and keeps nothing. */
export const LIVE: Tape = {
  pass: (_about, _asked, ask) => ask(),
  missing: () => undefined,
  recording: () => undefined,
};

/** What is kept is what the run goes on with, so that the same comes of it when it is played. */
export function recordingTape(withoutSecrets: (said: unknown) => unknown): Tape {
  const kept = new Map<string, unknown[]>();
  return {
    ...LIVE,
    async pass<Said>(about: string, asked: unknown, ask: () => Promise<Said>) {
      const said = withoutSecrets(await ask()) as Said;
      const key = keyOf(about, asked);
      kept.set(key, [...(kept.get(key) ?? []), said]);
      return said;
    },
    recording: () => Object.fromEntries(kept),
  };
}

/** Asks nobody. */
export function playingTape(recording: Recording): Tape {
  const played = new Map<string, number>();
  let lacking: string | undefined;
  return {
    ...LIVE,
    pass<Said>(about: string, asked: unknown): Promise<Said> {
      const key = keyOf(about, asked);
      const at = played.get(key) ?? 0;
      played.set(key, at + 1);
      const said = Object.hasOwn(recording, key) ? recording[key]?.[at] : undefined;
      if (said !== undefined) return Promise.resolve(said as Said);
      lacking ??= `The recording does not hold what ${about} is asked now: the assistant, its tools or the scenario have changed since. Record it again.`;
      return Promise.reject(new NotRecorded(lacking));
    },
    missing: () => lacking,
  };
}

class NotRecorded extends AppError {
  constructor(message: string) {
    super(message, { status: 409, type: 'invalid_request_error', code: 'not_recorded' });
  }
}

const keyOf = (about: string, asked: unknown) =>
  createHash('sha256')
    .update(`${about} ${JSON.stringify(asked)}`)
    .digest('base64url');

export interface ObservedCall {
  readonly tool: AnyTool;
  readonly args: Record<string, unknown>;
  readonly config: Record<string, unknown>;
  readonly ctx: ToolContext;
  readonly result: ToolResult;
}

/** Told before a tool runs, whatever comes of it. */
export type ObserveStart = (call: Omit<ObservedCall, 'result'>) => void;

/** The same plug-ins, with a tape between them and what they ask. Who may call what is decided before that. */
export function taped(plugins: Plugins, tape: Tape, called: ObserveStart): Plugins {
  const connectors = [...plugins.connectors].map(
    ([name, connector]) => [name, tapedConnector(connector, tape)] as const,
  );
  const tools = [...plugins.tools].map(([name, tool]) => [name, tapedTool(tool, tape, called)] as const);
  return { ...plugins, connectors: new Map(connectors), tools: new Map(tools) };
}

function tapedConnector(connector: Connector, tape: Tape): Connector {
  if (tape === LIVE) return connector;
  return {
    ...connector,
    async stream(request, ctx, say) {
      const { text, ...reply } = await tape.pass(
        `the model ${request.model}`,
        requestKey(connector, request),
        () => wholeReply(connector, request, ctx),
      );
      if (text !== '') await say(text);
      return reply;
    },
  };
}

const requestKey = (
  { name }: Connector,
  { model, messages, functions, mustAnswer, sampling }: ModelRequest,
) => [name, model, messages, functions, mustAnswer, sampling];

async function wholeReply(connector: Connector, request: ModelRequest, ctx: RunContext): Promise<WholeReply> {
  let text = '';
  const reply = await connector.stream(request, ctx, (piece) => {
    text += piece;
    return undefined;
  });
  return { ...reply, text };
}

function tapedTool(tool: AnyTool, tape: Tape, called: ObserveStart): AnyTool {
  return {
    ...tool,
    ...(tape === LIVE ? {} : tapedLayout(tool, tape)),
    run(args, config, ctx) {
      called({ tool, args, config, ctx });
      const asked = [ctx.functionName, config, args];
      return tape.pass(`the tool ${tool.name}`, asked, () => tool.run(args, config, ctx));
    },
  };
}

/** What a tool is told of, and by which functions it is called, may stand on another server. */
function tapedLayout({ name, subject, functions }: AnyTool, tape: Tape): Partial<AnyTool> {
  return {
    ...(subject && {
      subject: (config, ctx) =>
        tape.pass(`the tool ${name}`, ['subject', config], () => subject(config, ctx)),
    }),
    ...(functions && {
      functions: (config, ctx) =>
        tape.pass(`the tool ${name}`, ['functions', config], () => functions(config, ctx)),
    }),
  };
}
