import type { InputRequiredResult, ServerContext, Transport } from '@modelcontextprotocol/server';
import type { Assistant } from '../../core/assistants/assistant.js';
import { isRecord } from '../../core/base/json.js';
import type { Hiding } from '../../core/base/redactor.js';
import { AppError } from '../../core/errors.js';
import { errorLocation, type Logger } from '../../core/log.js';
import type { Plugins } from '../../core/plugins.js';
import type { MayAsk, OpenQuestion, QuestionAnswer } from '../../core/runs/approval.js';
import type { StatusEvent } from '../../core/runs/event.js';
import type { HandoverStore } from '../../core/runs/handover.js';
import type { ApprovalStore } from '../../core/stores.js';
import { approvalForm, type AskedCall, isAnswer, isApproved, takesForms } from './approval-form.js';
import type { McpExchange } from './call.js';

export interface AskingDeps {
  readonly approvals: ApprovalStore;
  readonly handovers: HandoverStore;
  readonly plugins: Plugins;
  readonly log: Logger;
}

/** How the person behind one call of an assistant can be asked to approve what it wants to do. */
export interface Asking {
  readonly mayAsk: MayAsk;
  /** Puts a question of a run that waits for them to them. */
  tell(event: StatusEvent): void;
  /** Has the client put them, and come back with what they say. */
  later(questions: readonly OpenQuestion[]): InputRequiredResult;
  /** What a client came back with: an answer to each question, or the questions once more. Undefined for a call that begins. */
  cameBackWith(): Promise<readonly QuestionAnswer[] | InputRequiredResult | undefined>;
}

export interface AskedCaller {
  readonly exchange: McpExchange;
  readonly ctx: ServerContext;
  /** Of revisions in which a server asks while a request is open; in later ones the client comes back. */
  readonly transport: Transport | undefined;
  readonly assistant: Pick<Assistant, 'id' | 'name'>;
  readonly redactor: Hiding;
}

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
type Envelope = Readonly<Partial<Record<typeof CAPABILITIES, unknown>>> | undefined;

export function createAsking(asked: AskedCaller, deps: AskingDeps): Asking {
  const { exchange, ctx, transport, assistant, redactor } = asked;
  const form = ({ tool, label, args }: Omit<AskedCall, 'assistant'>) => {
    const shown = {
      tool: deps.plugins.tools.get(tool)?.title ?? tool,
      label,
      args,
      assistant: assistant.name,
    };
    // Before it is put into words: escapes would hide what to look for.
    return approvalForm(redactor.redactIn(shown) as AskedCall, exchange.languages);
  };
  const later = (questions: readonly OpenQuestion[]): InputRequiredResult => ({
    resultType: 'input_required',
    inputRequests: Object.fromEntries(
      questions.map((question) => [
        question.id,
        { method: 'elicitation/create', params: { mode: 'form', ...form(question) } },
      ]),
    ),
    // Not a secret and no proof of anything: it is looked up among the caller's own.
    requestState: questions[0]?.id ?? '',
  });
  if (transport) {
    const tell = exchange.takesForms ? putTo(transport, asked, form, deps) : () => undefined;
    return { mayAsk: exchange.takesForms, tell, later, cameBackWith: () => Promise.resolve(undefined) };
  }
  return {
    mayAsk: takesForms((ctx.mcpReq.envelope as Envelope)?.[CAPABILITIES]) && 'later',
    tell: () => undefined,
    later,
    async cameBackWith() {
      const state = ctx.mcpReq.requestState();
      if (state === undefined) return undefined;
      const whose = { userId: exchange.caller.userId, assistantId: assistant.id };
      const waiting = typeof state === 'string' ? await deps.handovers.waiting(state, whose) : undefined;
      const questions = waiting?.state.questions;
      if (!questions) throw notOpen();
      const said: Readonly<Record<string, unknown>> = isRecord(ctx.mcpReq.inputResponses)
        ? ctx.mcpReq.inputResponses
        : {};
      if (!questions.every(({ id }) => isAnswer(said[id]))) return later(questions);
      return questions.map(({ id }) => ({ id, approved: isApproved(said[id]) }));
    },
  };
}

/** The protocol's word for a state that is not, or no longer, what the server handed out. */
const notOpen = () =>
  new AppError('Invalid or expired requestState: nothing of yours waits under it. Ask again.', {
    ...{ status: 400, type: 'invalid_request_error', code: 'unknown_question' },
  });

type Form = (call: Omit<AskedCall, 'assistant'>) => ReturnType<typeof approvalForm>;

/** Asks on the stream of the call itself; what they say comes in by another request, perhaps in another process. */
function putTo(
  transport: Transport,
  { exchange, ctx }: AskedCaller,
  form: Form,
  { approvals, log }: AskingDeps,
): Asking['tell'] {
  const { runId, caller } = exchange;
  const open = new Map<string, string>();
  const send = (message: { readonly id?: string; readonly method: string; readonly params: object }) =>
    transport.send({ jsonrpc: '2.0', ...message } as Parameters<Transport['send']>[0], {
      relatedRequestId: ctx.mcpReq.id,
    });
  const ask = async (callId: string) => {
    const question = (await approvals.open(runId, caller.userId)).find((each) => each.callId === callId);
    if (!question) return;
    open.set(callId, question.expiresAt);
    await send({ id: questionId({ runId, callId }), method: 'elicitation/create', params: form(question) });
  };
  const withdraw = async (callId: string) => {
    const expiresAt = open.get(callId);
    open.delete(callId);
    if (expiresAt === undefined || new Date().toISOString() < expiresAt) return;
    const params = { requestId: questionId({ runId, callId }), reason: 'Nobody answered in time.' };
    await send({ method: 'notifications/cancelled', params });
  };
  return (event) => {
    const doing =
      event.type === 'approval.required'
        ? ask(event.call_id)
        : event.type === 'tool.denied'
          ? withdraw(event.call_id)
          : undefined;
    // Whoever is not there to be asked does not answer either, and the question ends by its time.
    doing?.catch((fault: unknown) => {
      log.debug({ runId, fault: errorLocation(fault) }, 'MCP client could not be asked');
    });
  };
}

interface QuestionName {
  readonly runId: string;
  readonly callId: string;
}

const QUESTION = 'approval';

/** By it the answer is told from answers to anything else, in whichever process it comes in. */
function questionId({ runId, callId }: QuestionName): string {
  return [QUESTION, runId, callId].join('/');
}

/** What a client answers to a question that was asked on a stream; a fault of its own is a no. */
export function answerIn(body: unknown): (QuestionName & { readonly approve: boolean }) | undefined {
  if (!isRecord(body) || 'method' in body || typeof body['id'] !== 'string') return undefined;
  const [kind, runId, ...rest] = body['id'].split('/');
  if (kind !== QUESTION || runId === undefined || rest.length === 0) return undefined;
  return { runId, callId: rest.join('/'), approve: isApproved(body['result']) };
}
