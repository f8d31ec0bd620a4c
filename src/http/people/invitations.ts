import { type Request, Router } from 'express';
import { z } from 'zod';
import { overseesOrganization } from '../../access/administrators.js';
import { deedOf } from '../../core/access/audit.js';
import type { Invitation, NewInvitation } from '../../core/access/invitation.js';
import { conflict, invitationOver, notFound } from '../../core/errors.js';
import type { Stores } from '../../core/stores.js';
import type { Passwords } from '../../security/passwords.js';
import { hashToken, newInvitationToken } from '../../security/tokens.js';
import type * as wire from '../contract/people/invitations.js';
import { createAdministration } from '../middleware/administration.js';
import { networkOf } from '../middleware/client-address.js';
import { parseWith } from '../middleware/json-body.js';
import { baseUrlOf, type OwnAddress } from '../middleware/own-address.js';
import type { Peers } from '../peers.js';
import { pageOf, PageQuery } from '../middleware/query.js';
import { refusing } from '../middleware/rate-limit.js';
import { addressOf, callerOf, signalOfLeaving } from '../middleware/request-facts.js';
import { beginSession } from '../admin/auth.js';
import { createRoleRule, Email, GivenRole, Id, Name, Password } from '../admin/users.js';

export const NewInvited = z.strictObject({
  email: Email,
  name: z.string().trim().max(200).default(''),
  role: GivenRole.default('creator'),
  organization_id: z.number().int().positive().optional(),
});
export const ListQuery = PageQuery.extend({ organization_id: z.coerce.number().int().positive().optional() });

const DAYS = 7;

/** An invitation and what opens it: the token is in the address alone, in the part that browsers send to nobody. */
export function anInvitation(
  facts: Omit<NewInvitation, 'expiresAt' | 'tokenHash'>,
  { address, req }: { readonly address: OwnAddress; readonly req: Request },
): { readonly invitation: NewInvitation; readonly url: string } {
  const token = newInvitationToken();
  const expiresAt = new Date(Date.now() + DAYS * 86_400_000).toISOString();
  return {
    invitation: { ...facts, expiresAt, tokenHash: hashToken(token) },
    url: `${baseUrlOf(address, req)}/invitation#${token}`,
  };
}

type Deps = Pick<Stores, 'audit' | 'invitations' | 'organizations' | 'users'> & {
  readonly address: OwnAddress;
};

/** Whom administrators ask to make an account of their own. No mail is sent: they hand on the link themselves. */
export function invitationRoutes({ address, audit, invitations, organizations, users }: Deps): Router {
  const office = createAdministration({ audit, organizations, users });
  const mayGive = createRoleRule(office);

  return Router()
    .get('/lamb/v1/invitations', async (req, res) => {
      const caller = callerOf(res);
      const deed = { caller, action: 'list invitations' };
      await office.mustAdminister(deed);
      const { organization_id, ...page } = parseWith(ListQuery, req.query, 'The query');
      const everywhere = caller.role === 'system_admin' && organization_id === undefined;
      const organizationId = everywhere
        ? undefined
        : (await office.organization(organization_id ?? caller.organizationId, deed)).id;
      const found = await invitations.list({ organizationId }, new Date().toISOString(), page);
      res.json(pageOf(found, show));
    })
    .post('/lamb/v1/invitations', async (req, res) => {
      const caller = callerOf(res);
      const deed = { caller, action: 'invite' };
      await office.mustAdminister(deed);
      const { email, name, role, organization_id } = parseWith(NewInvited, req.body);
      const organization = await office.organization(organization_id ?? caller.organizationId, deed);
      await mayGive(role, deed);
      const known = await users.byEmail(email);
      // Of people elsewhere nothing is told: they learn it themselves when they open the invitation.
      if (known?.organizationId === organization.id) {
        throw conflict('Somebody of this organisation has this e-mail address already.');
      }
      const facts = { organizationId: organization.id, email, name, role, createdBy: caller.userId };
      const { invitation, url } = anInvitation(facts, { address, req });
      await invitations.create([invitation]);
      const reason = `as ${role}`;
      await audit.record(
        deedOf(caller, {
          action: deed.action,
          resource: `organisation ${String(organization.id)}`,
          reason,
        }),
      );
      const made: wire.MadeInvitation = { email, url, expires_at: invitation.expiresAt };
      res.status(201).set('Cache-Control', 'no-store').json(made);
    })
    .delete('/lamb/v1/invitations/:id', async (req, res) => {
      const deed = { caller: callerOf(res), action: 'take back invitation' };
      await office.mustAdminister(deed);
      const { id } = parseWith(Id, req.params, 'The address');
      const found = await invitations.get(id);
      if (!found || !overseesOrganization(deed.caller, found.organizationId))
        throw notFound('The invitation');
      if (!(await invitations.delete(id))) throw notFound('The invitation');
      const resource = `organisation ${String(found.organizationId)}`;
      await audit.record(deedOf(deed.caller, { action: deed.action, resource }));
      res.status(204).end();
    });
}

function show({ id, email, name, role, organizationId, expiresAt, createdAt }: Invitation): wire.Invitation {
  return {
    ...{ id, email, name, role, organization_id: organizationId },
    ...{ expires_at: expiresAt, created_at: createdAt },
  };
}

export const OpenedInvitation = z.strictObject({ token: z.string().min(1).max(100) });
export const AcceptedInvitation = OpenedInvitation.extend({ name: Name, password: Password });

const TRIES_A_MINUTE_FROM_ONE_ADDRESS = 60;

type OpenDeps = Omit<Deps, 'address'> &
  Pick<Stores, 'credentials'> & { readonly passwords: Passwords; readonly peers: Peers };

/** For those who were invited, and have nothing but the link. */
export function openInvitations(deps: OpenDeps): Router {
  const { audit, credentials, invitations, organizations, passwords, peers, users } = deps;
  const points = TRIES_A_MINUTE_FROM_ONE_ADDRESS;
  const limit = refusing(peers.limiter('invitations of an address', { points, seconds: 60 }));

  /** As long as whoever has invited them could still do so. */
  const find = async (token: string, from: string): Promise<Invitation> => {
    await limit(networkOf(from), 'Too many invitations were opened from your address.');
    const found = await invitations.byToken(hashToken(token), new Date().toISOString());
    const inviter = found && (await users.byId(found.createdBy));
    const mayInvite =
      found &&
      inviter?.enabled &&
      overseesOrganization(inviter, found.organizationId) &&
      (found.role !== 'system_admin' || inviter.role === 'system_admin');
    if (!mayInvite) throw invitationOver();
    return found;
  };

  return Router()
    .post('/lamb/v1/auth/invitation', async (req, res) => {
      const { token } = parseWith(OpenedInvitation, req.body);
      const { email, name, organizationId } = await find(token, addressOf(res));
      const organization = (await organizations.byId(organizationId))?.name ?? '';
      const opened: wire.OpenedInvitation = { email, name, organization_name: organization };
      res.set('Cache-Control', 'no-store').json(opened);
    })
    .post('/lamb/v1/auth/invitation/accept', async (req, res) => {
      const { token, name, password } = parseWith(AcceptedInvitation, req.body);
      const from = addressOf(res);
      const { organizationId } = await find(token, from);
      const asker = { name: `address ${networkOf(from)}`, signal: signalOfLeaving(res) };
      const passwordHash = await passwords.hash(password, asker);
      const at = new Date().toISOString();
      const id = await invitations.accept(hashToken(token), at, { name, passwordHash });
      const user = id === undefined ? undefined : await users.byId(id);
      if (!user) throw invitationOver();
      await audit.record({
        ...{ userId: user.id, organizationId, action: 'accept invitation', outcome: 'done', runId: null },
        ...{ resource: `user ${String(user.id)}`, reason: `as ${user.role}` },
      });
      res
        .status(201)
        .set('Cache-Control', 'no-store')
        .json(await beginSession(user, credentials));
    });
}
