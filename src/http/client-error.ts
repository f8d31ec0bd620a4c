import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { newRequestId } from '../core/base/ids.js';
import { sendJson } from './middleware/send-json.js';

const STATUSES: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request took too long to arrive.'],
};
const MALFORMED = [400, 'Bad Request', 'The request is not valid HTTP.'] as const;

/** Answered without a body by Node itself, if it were left to. */
function refuseExpectation(_req: IncomingMessage, res: ServerResponse): void {
  res.setHeader('X-Request-Id', newRequestId());
  sendJson(res, 417, bodyOf('The Expect header asks for something that this server does not do.'));
}

/** What Node refuses before it is a request is told in the same shape as everything else. */
export function answerClientErrors(server: Server): void {
  server.on('checkExpectation', refuseExpectation);
  server.on('clientError', (fault: Error & { readonly code?: string }, socket: Duplex) => {
    if (!socket.writable || fault.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const [status, phrase, message] = STATUSES[fault.code ?? ''] ?? MALFORMED;
    const body = JSON.stringify(bodyOf(message));
    const head = [
      `HTTP/1.1 ${String(status)} ${phrase}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${String(Buffer.byteLength(body))}`,
      `X-Request-Id: ${newRequestId()}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}

function bodyOf(message: string) {
  return { error: { message, type: 'invalid_request_error', code: 'bad_request', param: null } };
}
