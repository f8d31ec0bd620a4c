import { z } from 'zod';
import { Moment, type Told } from './common.js';

export const AskingProgram = z
  .object({
    client_name: z
      .string()
      .describe('As it calls itself, which nobody vouches for; empty where it does not say.'),
    redirect_uri: z.string().describe('Where the person is sent once they have decided.'),
    is_local: z.boolean().describe("Whether that is a program on the person's own machine."),
  })
  .describe('A program that asks to be let in, as the person is to see it.');
export type AskingProgram = Told<typeof AskingProgram>;

export const Decided = z.object({ redirect_to: z.string() }).describe('What became of it.');
export type Decided = Told<typeof Decided>;

export const Connection = z
  .object({
    id: z.int(),
    client_name: z.string(),
    redirect_uri: z.string(),
    created_at: Moment,
    refreshed_at: Moment.describe('When it last got new tokens: every hour while it is in use.'),
    expires_at: Moment,
  })
  .describe('A program that somebody has let in.');
export type Connection = Told<typeof Connection>;

export const Tokens = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int(),
    refresh_token: z.string(),
    scope: z.string(),
  })
  .describe('RFC 6749 section 5.1.');
export type Tokens = Told<typeof Tokens>;

export const RegisteredProgram = z
  .object({
    client_id: z.string(),
    client_name: z.string().exactOptional(),
    redirect_uris: z.array(z.string()),
    token_endpoint_auth_method: z.literal('none'),
    grant_types: z.array(z.string()),
    response_types: z.array(z.string()),
    scope: z.string(),
  })
  .describe('RFC 7591 section 3.2.1.');

export const OAuthFault = z
  .object({ error: z.string(), error_description: z.string() })
  .describe('RFC 6749 section 5.2.');
