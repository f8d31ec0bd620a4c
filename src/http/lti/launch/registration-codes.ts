import { randomBytes } from 'node:crypto';
import type { TicketStore } from '../../../core/lti/launch-stores.js';
import type { SecretBox } from '../../../core/organizations/secret-box.js';
import { hashToken } from '../../../security/tokens.js';

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
