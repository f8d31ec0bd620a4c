import { randomUUID } from 'node:crypto';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import { newRunId } from '../../core/base/ids.js';
import { isNoDeeperThan } from '../../core/base/json.js';
import { badRequest, methodNotAllowed } from '../../core/errors.js';
import { errorLocation } from '../../core/log.js';
import { answerApproval, type ApprovalRoutesDeps } from '../chat/approvals.js';
import type { OpenRuns } from '../middleware/open-runs.js';
import { type OwnAddress, requireOwnAddress } from '../middleware/own-address.js';
import type { Peers } from '../peers.js';
import { callerOf } from '../middleware/request-facts.js';
import type { McpExchange } from './call.js';
import { takesForms } from './approval-form.js';
import { answerIn } from './asking.js';
import { createOpenCalls, type OpenCalls } from './open-calls.js';
import { createMcpServer, type McpServerDeps } from './server.js';

export interface McpDeps extends McpServerDeps, ApprovalRoutesDeps {
  readonly openRuns: OpenRuns;
  readonly peers: Peers;
  readonly address: OwnAddress;
  readonly heartbeatMs: number;
}

const SESSION = 'mcp-session-id';
const TAKES_FORMS = '.forms';

/**
 * Not an identity, only a name by which the client's own calls can be told apart, in whichever process they come in;
 * and it keeps what the client said of itself.
 */
function newSession(capabilities: unknown): string {
  return `${randomUUID()}${takesForms(capabilities) ? TAKES_FORMS : ''}`;
}

/** MCP over streamable HTTP, every request by itself: nothing is kept between two of them. */
export function mcp(deps: McpDeps): Router {
  const openCalls = createOpenCalls(deps.peers);
  const mustBeOurs = requireOwnAddress(deps.address);
  let door: ReturnType<typeof openDoor> | undefined;

  return Router()
    .post('/lamb/v1/mcp', mustBeOurs, async (req, res) => {
      const { method, cancels, answer, capabilities, goesOn } = heard(req.body);
      if (answer) {
        await answerApproval(callerOf(res), answer, deps);
        res.status(202).end();
        return;
      }
      if (cancels !== undefined) openCalls.cancel(nameOf(cancels, req, res));
      if (method === 'initialize') res.setHeader('Mcp-Session-Id', newSession(capabilities));
      const runId = newRunId();
      const isRun = method === 'tools/call' || method === 'prompts/get';
      if (isRun && !goesOn) res.setHeader('X-Run-Id', runId);

      const serve = await (door ??= openDoor(deps));
      await serve(req, res, exchangeOf({ req, res, runId }, { openCalls, ...deps }));
    })
    .get('/lamb/v1/mcp', onlyPost)
    .delete('/lamb/v1/mcp', onlyPost);
}

const onlyPost: RequestHandler = (_req, res) => {
  res.setHeader('Allow', 'POST');
  throw methodNotAllowed('Send MCP messages with POST; there are no sessions or streams to open or end.');
};

/** The SDK takes a while to load, so it waits for the first client. */
async function openDoor(deps: McpDeps) {
  const [sdk, { toNodeHandler }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/node'),
  ]);
  const serverFor = createMcpServer(sdk, deps);
  const onerror = (fault: Error) => {
    deps.log.debug({ fault: errorLocation(fault) }, 'MCP message was refused');
  };
  // Nothing here tells of changes, so there is nothing to subscribe to.
  const options = { onerror, keepAliveMs: deps.heartbeatMs, maxSubscriptions: 0 };

  return async (req: Request, res: Response, exchange: McpExchange) => {
    const handler = sdk.createMcpHandler(({ era }) => serverFor(exchange, era), options);
    await toNodeHandler(handler, { onerror })(req, res, req.body);
  };
}

interface Facts {
  readonly req: Request;
  readonly res: Response;
  readonly runId: string;
}

function exchangeOf(
  { req, res, runId }: Facts,
  { openRuns, openCalls }: { readonly openRuns: OpenRuns; readonly openCalls: OpenCalls },
): McpExchange {
  return {
    caller: callerOf(res),
    runId,
    languages: req.acceptsLanguages(),
    takesForms: req.get(SESSION)?.endsWith(TAKES_FORMS) ?? false,
    traceparent: req.get('traceparent'),
    async during(requestId, work) {
      const run = openRuns.begin(res);
      const call = openCalls.begin(nameOf(requestId, req, res), run.signal);
      try {
        return await work(call.signal);
      } finally {
        call.over();
        run.over();
      }
    },
  };
}

function nameOf(requestId: string | number, req: Request, res: Response) {
  return { credentialId: callerOf(res).credentialId, sessionId: req.get(SESSION), requestId };
}

/** Room for a call's arguments at their deepest, and for what is around them. */
const DEEPEST = 40;

const Cancelled = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: z.union([z.string(), z.number()]) }),
});
const Named = z.object({ method: z.string() });
const Initialize = z.object({ params: z.object({ capabilities: z.unknown() }) });
const GoesOn = z.object({ params: z.object({ requestState: z.string() }) });

/** As much of a JSON-RPC message as the route itself must know; the rest is the protocol's to judge. */
export interface Heard {
  readonly method: string | undefined;
  /** The call that the client wants no more. */
  readonly cancels: string | number | undefined;
  /** To a question that was asked while a call went on. */
  readonly answer: ReturnType<typeof answerIn>;
  /** What the client says of itself when it begins. */
  readonly capabilities: unknown;
  /** A call that began with another request. */
  readonly goesOn: boolean;
}

/** One message at a time: a batch would be many calls that count as one. */
function heard(body: unknown): Heard {
  if (Array.isArray(body)) throw badRequest('Send one JSON-RPC message at a time: batches are not taken.');
  if (!isNoDeeperThan(body, DEEPEST)) {
    throw badRequest(`The message nests deeper than ${String(DEEPEST)} levels.`);
  }
  const named = Named.safeParse(body);
  const cancelled = Cancelled.safeParse(body);
  return {
    method: named.success ? named.data.method : undefined,
    cancels: cancelled.success ? cancelled.data.params.requestId : undefined,
    answer: answerIn(body),
    capabilities: Initialize.safeParse(body).data?.params.capabilities,
    goesOn: GoesOn.safeParse(body).success,
  };
}
