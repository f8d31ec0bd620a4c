import { randomBytes } from 'node:crypto';
import type { TicketPurpose, TicketStore } from '../../../core/lti/launch-stores.js';
import type { LaunchFacts } from '../../../core/lti/launch.js';
import type { SecretBox } from '../../../core/organizations/secret-box.js';
import { hashToken } from '../../../security/tokens.js';

/** A sign-in that a platform was asked for. */
export interface PendingLogin {
  readonly platformId: number;
  readonly nonce: string;
  /** Of the browser that was sent there. */
  readonly browserHash: string;
}

/** A launch that is proved, of a browser that is yet to show its cookie. */
export interface PendingVisit {
  readonly facts: LaunchFacts;
  /** Whether the browser has been given one in the place where it is now. */
  readonly isProbed: boolean;
}

const MINUTE_MS = 60_000;
const LOGIN_MINUTES = 10;
const VISIT_MINUTES = 5;
/** A message of LTI 1.1 is good for five minutes before and after the time it names. */
const NONCE_MINUTES = 15;

export type OneTime = ReturnType<typeof createOneTime>;

/** What counts once, whichever process it comes to. */
export function createOneTime(tickets: TicketStore, box: SecretBox) {
  const leave = (purpose: TicketPurpose, name: string, payload: string, minutes: number) =>
    tickets.leave({
      ...{ purpose, payload, hash: hashToken(name) },
      expiresAt: new Date(Date.now() + minutes * MINUTE_MS).toISOString(),
    });
  const take = (purpose: TicketPurpose, name: string) =>
    tickets.take(purpose, hashToken(name), new Date().toISOString());

  return {
    async beginLogin(platformId: number, browserHash: string) {
      const [state, nonce] = [unguessable(), unguessable()];
      const pending: PendingLogin = { platformId, nonce, browserHash };
      await leave('lti login', state, JSON.stringify(pending), LOGIN_MINUTES);
      return { state, nonce };
    },
    async endLogin(state: string): Promise<PendingLogin | undefined> {
      const payload = await take('lti login', state);
      return payload === undefined ? undefined : (JSON.parse(payload) as PendingLogin);
    },
    async keepVisit(visit: PendingVisit): Promise<string> {
      const ticket = unguessable();
      // Names are in it.
      await leave('lti launch', ticket, box.seal(JSON.stringify(visit)), VISIT_MINUTES);
      return ticket;
    },
    async takeVisit(ticket: string): Promise<PendingVisit | undefined> {
      const payload = await take('lti launch', ticket);
      return payload === undefined ? undefined : (JSON.parse(box.open(payload)) as PendingVisit);
    },
    /** False when it came before. */
    isNew: (platformId: number, nonce: string): Promise<boolean> =>
      leave('oauth nonce', `${String(platformId)} ${nonce}`, '', NONCE_MINUTES),
  };
}

function unguessable(): string {
  return randomBytes(32).toString('base64url');
}

/** What whoever brings a code may do: register one platform there, on behalf of the administrator who made it. */
export interface Permit {
  readonly organizationId: number;
  readonly madeBy: number;
  /** What administrators will call the platform; as it calls itself when absent. */
  readonly name?: string | undefined;
  readonly expiresAt: string;
}

export type RegistrationCodes = ReturnType<typeof createRegistrationCodes>;

const PURPOSE = 'lti registration';
const HOUR_MS = 3_600_000;

/** Each is good for one platform, within an hour, in whichever process. */
export function createRegistrationCodes(tickets: TicketStore, box: SecretBox) {
  const leave = (code: string, permit: Permit) =>
    tickets.leave({
      ...{ purpose: PURPOSE, hash: hashToken(code), expiresAt: permit.expiresAt },
      payload: box.seal(JSON.stringify(permit)),
    });

  return {
    async make(facts: Omit<Permit, 'expiresAt'>) {
      const code = randomBytes(32).toString('base64url');
      const expiresAt = new Date(Date.now() + HOUR_MS).toISOString();
      await leave(code, { ...facts, expiresAt });
      return { code, expiresAt };
    },
    /** Nobody else has it until it is given back. */
    async take(code: string): Promise<Permit | undefined> {
      const payload = await tickets.take(PURPOSE, hashToken(code), new Date().toISOString());
      return payload === undefined ? undefined : (JSON.parse(box.open(payload)) as Permit);
    },
    /** What it was for did not come about: it can be tried again. */
    async giveBack(code: string, permit: Permit): Promise<void> {
      await leave(code, permit);
    },
  };
}
