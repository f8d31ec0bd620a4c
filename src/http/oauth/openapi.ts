import { z } from 'zod';
import * as wire from '../contract/oauth.js';
import type { DescribedArea, Form } from '../openapi/operation.js';
import { AuthorizationRequest, Decision } from './consent.js';
import { Registration } from './server.js';
import { Exchange, Refresh, Revocation } from './tokens.js';

const everybody = { access: 'everybody' } as const;
const form = (fields: z.ZodType): Form => ({ mediaType: 'application/x-www-form-urlencoded', fields });
const faults = Object.fromEntries([400, 401, 413, 429, 500, 503].map((status) => [status, wire.OAuthFault]));
const Metadata = z.looseObject({});
const metadata = { ...everybody, answers: { 200: Metadata } };

export const programs: DescribedArea = {
  subject: 'Programs that sign people in',
  about: 'OAuth 2.1 for MCP clients, which need no more than the address of the endpoint.',
  operations: {
    'GET /.well-known/oauth-protected-resource': {
      ...metadata,
      summary: 'Where tokens for the MCP endpoint come from (RFC 9728)',
    },
    'GET /.well-known/oauth-protected-resource/lamb/v1/mcp': {
      ...metadata,
      summary: 'The same, where its address ends with that of the endpoint',
    },
    'GET /.well-known/oauth-authorization-server': {
      ...metadata,
      summary: 'What signing in can do (RFC 8414)',
    },
    'POST /oauth/register': {
      ...everybody,
      summary: 'Register a program (RFC 7591)',
      body: Registration,
      answers: { 201: wire.RegisteredProgram, ...faults },
    },
    'POST /oauth/token': {
      ...everybody,
      summary: 'Get tokens for a code, or new ones',
      body: [form(Exchange), form(Refresh)],
      answers: { 200: wire.Tokens, ...faults },
    },
    'POST /oauth/revoke': {
      ...everybody,
      summary: 'Give a token back (RFC 7009)',
      body: form(Revocation),
      answers: { 200: null, ...faults },
    },
    'GET /lamb/v1/oauth/authorization': {
      summary: 'What a program asks of you',
      query: AuthorizationRequest,
      answers: { 200: wire.AskingProgram },
    },
    'POST /lamb/v1/oauth/authorization': {
      summary: 'Let a program in, or not',
      body: Decision,
      answers: { 200: wire.Decided },
    },
  },
};
