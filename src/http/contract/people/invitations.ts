import { z } from 'zod';
import { Role } from '../admin.js';
import { Moment, type Told } from '../common.js';

/** What the routes of invitations and of the import of people answer with. */

export const Invitation = z.object({
  id: z.number(),
  email: z.string(),
  name: z.string(),
  role: Role,
  organization_id: z.number(),
  expires_at: Moment,
  created_at: Moment,
});
export type Invitation = Told<typeof Invitation>;

export const MadeInvitation = z.object({
  email: z.string(),
  url: z.string().describe('It is never shown again.'),
  expires_at: Moment,
});
export type MadeInvitation = Told<typeof MadeInvitation>;

export const OpenedInvitation = z.object({
  email: z.string(),
  name: z.string(),
  organization_name: z.string(),
});
export type OpenedInvitation = Told<typeof OpenedInvitation>;

export const ImportedRow = z.object({
  line: z.number().describe('In the file; its header is the first.'),
  email: z.string(),
  name: z.string(),
  status: z.enum(['created', 'exists', 'refused']),
  reason: z
    .enum([
      ...(['email_missing', 'email_invalid', 'email_twice', 'name_too_long'] as const),
      ...(['role_unknown', 'role_not_given'] as const),
    ])
    .exactOptional(),
  message: z.string().exactOptional().describe('The reason in words.'),
  url: z.string().exactOptional().describe('Of the invitation. It is never shown again.'),
});
export type ImportedRow = Told<typeof ImportedRow>;

export const ImportReport = z.object({
  dry_run: z.boolean(),
  created: z.number(),
  exists: z.number(),
  refused: z.number(),
  expires_at: Moment.nullable().describe('Of the invitations.'),
  rows: z.array(ImportedRow),
});
export type ImportReport = Told<typeof ImportReport>;
