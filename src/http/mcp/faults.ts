import type { ProtocolError } from '@modelcontextprotocol/server';
import type { Redactor } from '../../core/base/redactor.js';
import type { AppError } from '../../core/errors.js';
import { type Logger, errorLocation } from '../../core/log.js';
import { toShow } from '../middleware/error-handler.js';

/** JSON-RPC's own numbers. */
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

export interface McpFaults {
  /** The same words for what does not exist, what is not offered and what is somebody else's. */
  unknown(kind: 'Tool' | 'Prompt', name: string): ProtocolError;
  /** What may be shown of anything thrown; what nobody foresaw is logged, by place and not by message. */
  shown(thrown: unknown): AppError;
  /** The same as a JSON-RPC error. */
  asProtocolError(thrown: unknown): ProtocolError;
}

export interface FaultDeps {
  readonly log: Logger;
  readonly redactor: Redactor;
}

export function createMcpFaults(Fault: typeof ProtocolError, { log, redactor }: FaultDeps): McpFaults {
  const shown = (thrown: unknown) => {
    const error = toShow(thrown);
    if (error.status >= 500) {
      log.error({ code: error.code, fault: errorLocation(error.cause ?? thrown) }, 'MCP request failed');
    }
    return error;
  };
  return {
    unknown: (kind, name) =>
      new Fault(INVALID_PARAMS, redactor.redact(`${kind} ${name.slice(0, 128)} not found`)),
    shown,
    asProtocolError(thrown) {
      if (thrown instanceof Fault) return thrown;
      const { status, message } = shown(thrown);
      return new Fault(status < 500 ? INVALID_PARAMS : INTERNAL_ERROR, redactor.redact(message));
    },
  };
}
