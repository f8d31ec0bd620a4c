import { AppError } from '../core/errors.js';

/** Few kinds, each with words for the person in front of the screen; what exactly was wrong is for the audit. */
const KINDS = {
  launch_refused:
    'This launch could not be verified. Go back to your course and open the activity again. If it happens again, tell your administrator.',
  launch_stale:
    'This launch is not valid any more, or not yet. Go back to your course and open the activity again. If it happens again, the clock of one of the two servers may be wrong.',
  launch_not_set_up:
    'Your learning platform is not set up for this launch. Tell your administrator, who can test the platform on the page of learning platforms.',
} as const;

export type RefusalKind = keyof typeof KINDS;

export const WRONG_SIGNATURE = 'signature is wrong';

/** A launch that is not to be believed. The reason is ours, short, and never quotes what was sent. */
export function refusedLaunch(reason: string, kind: RefusalKind = 'launch_refused'): AppError {
  return new AppError(KINDS[kind], { status: 403, type: 'permission_error', code: kind, cause: reason });
}

/** Why a launch was refused, for the audit; undefined for a fault that is none of these. */
export function reasonOfRefusal(fault: unknown): string | undefined {
  const isRefusal = fault instanceof AppError && Object.hasOwn(KINDS, fault.code);
  return isRefusal && typeof fault.cause === 'string' ? fault.cause : undefined;
}
