import { z } from 'zod';
import { bytes, type DescribedArea, events, type Operation } from '../openapi/operation.js';

/** The protocol has a description of its own; here it is messages. */
const Message = z.looseObject({ jsonrpc: z.literal('2.0') });

const onlyPost: Operation = { summary: 'There is nothing to open or end', answers: {}, errors: [405] };

export const modelContextProtocol: DescribedArea = {
  subject: 'MCP',
  about: 'Assistants and tools over the Model Context Protocol, by streamable HTTP.',
  operations: {
    'POST /lamb/v1/mcp': {
      summary: 'Send a message',
      body: Message,
      answers: { 200: [Message, events(Message)], 202: bytes(), 400: Message },
      errors: [406],
      sends: { 'X-Run-Id': 'Of a call.', 'Mcp-Session-Id': 'A name for the client; nothing is kept.' },
    },
    'GET /lamb/v1/mcp': onlyPost,
    'DELETE /lamb/v1/mcp': onlyPost,
  },
};
