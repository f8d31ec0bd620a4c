import { forbidden, notConfigured } from './errors.js';
import type { ToolServices } from './runs/run-context.js';

/** Where a bound argument comes from: the person behind the request, and nothing that was said or sent. */
export interface Identity {
  /** For documents: whose it is, in a few words. */
  readonly label: string;
  /** Throws a refusal when nobody vouches for who this is. */
  of(ctx: ToolServices): unknown;
}

export const callerEmail: Identity = {
  label: 'the verified e-mail of the person',
  of: ({ caller }) => {
    if (caller.verifiedEmail === undefined) throw forbidden('It is not known for whom this would be done.');
    return caller.verifiedEmail;
  },
};

export const moodleUser: Identity = {
  label: "the person's own account in Moodle",
  of: async ({ moodle }) => {
    if (!moodle) throw notConfigured('Moodle');
    return await moodle.userId();
  },
};
