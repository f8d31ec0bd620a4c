import { AppError, forbidden, invalidConfiguration, unavailable, upstreamFailed } from '../../core/errors.js';

/** What Moodle's refusal means: in words for whoever is chatting, and for the log what an administrator can do. */
export interface Refusal {
  readonly told: AppError;
  readonly advice: string;
}

/** Thrown: what may be shown, with Moodle's own name for the reason. */
export class RefusedByMoodle extends AppError {
  constructor(
    { message, status, type, code, retryAfterSeconds }: AppError,
    readonly errorcode: string,
  ) {
    super(message, { status, type, code, retryAfterSeconds });
  }
}

const ASK = 'An administrator finds the reason in the log.';

const misconfigured = (message: string, advice: string): Refusal => ({
  told: invalidConfiguration(`${message} ${ASK}`),
  advice,
});

/** By `errorcode`: the names of Moodle's exceptions change between versions, these do not. */
function meaningOf(errorcode: string): Refusal | undefined {
  switch (errorcode) {
    case 'invalidtoken':
      return misconfigured(
        'Moodle does not accept the token of this service.',
        'The token is wrong, was deleted or has expired: make a new one and enter it.',
      );
    case 'accessexception':
      return misconfigured(
        'Moodle does not let this service use a function it needs.',
        "Add the function to the token's web service, allow its user webservice/rest:use, look at the token's IP restriction and expiry.",
      );
    case 'wsaccessusersuspended':
    case 'wsaccessuserdeleted':
    case 'wsaccessuserexpired':
    case 'wsaccessusernologin':
      return misconfigured(
        'Moodle has switched off the account of this service.',
        "The account of the token's user is suspended, expired or gone.",
      );
    case 'nopermission':
    case 'nopermissions':
    case 'nopermissiontoviewgrades':
      return {
        told: forbidden(`Moodle does not let this service read this for you. ${ASK}`),
        advice: "The token's user lacks one of these capabilities.",
      };
    case 'requireloginerror':
    case 'errorcoursecontextnotvalid':
      return {
        told: forbidden(`Moodle does not show this course to this service. ${ASK}`),
        advice: "The token's user may not enter the course: it lacks one of these capabilities there.",
      };
    case 'notingroup':
      return {
        told: forbidden(`Moodle does not show this course to this service. ${ASK}`),
        advice:
          "The course has separate groups, and the token's user is in none of them: it needs moodle/site:accessallgroups.",
      };
    case 'sitemaintenance':
      return {
        told: unavailable('Moodle is being maintained. Try again later.'),
        advice: 'The site is in maintenance mode.',
      };
    default:
      return undefined;
  }
}

/** Anything else is a fault, in Moodle or here, and told as one. */
export const refusalFor = (errorcode: string): Refusal =>
  meaningOf(errorcode) ?? {
    told: upstreamFailed('Moodle'),
    advice: 'Moodle could not do what it was asked: its errorcode says why.',
  };

export const webServicesOff = (): Refusal =>
  misconfigured(
    "Moodle's web services are switched off.",
    'Enable web services and the REST protocol in Moodle.',
  );

export const movedAway = (): Refusal =>
  misconfigured(
    'Moodle is not at the address that is set for it.',
    'The address answers with a redirect, which is not followed: set the address it leads to.',
  );
