import type { LaunchFacts } from '../core/lti/launch.js';
import { allParameters, isSignedWith, type Parameter, type SignedRequest } from './oauth1.js';
import {
  addressFrom,
  courseFrom,
  customFrom,
  Id,
  localeFrom,
  nameFrom,
  openedInFrom,
} from './optional-claims.js';
import { refusedLaunch, WRONG_SIGNATURE } from './refusals.js';
import { roleOf } from './roles.js';

export interface Launch11 {
  readonly request: SignedRequest;
  readonly platform: { readonly id: number; readonly consumerKey: string };
  /** Opened. */
  readonly sharedSecret: string;
  /** Milliseconds. */
  readonly now: number;
}

export interface Verified11 {
  readonly facts: LaunchFacts;
  /** To be remembered for ten minutes, now that the signature holds: a second launch with it is a replay. */
  readonly nonce: string;
  readonly timestamp: number;
}

const WINDOW_S = 300;
const MOST_PARAMETERS = 500;
const LONGEST_VALUE = 20_000;
const CUSTOM = 'custom_';
/** Of what is read, nothing may come twice: two readers could see two different launches. */
const READ =
  /^(oauth_|lti_|resource_link_|context_|launch_presentation_|lis_|tool_consumer_|custom_|ext_|user_id$|roles$)/;

/** Whose launch it claims to be; nothing is proved by it. */
export function consumerKeyOf(request: SignedRequest): string {
  return required(valuesOf(request), 'oauth_consumer_key');
}

/** What a platform of LTI 1.1 says of a launch, all of it signed; whatever is wrong with it is a refusal. */
export function readLaunch11({ request, platform, sharedSecret, now }: Launch11): Verified11 {
  const values = valuesOf(request);
  if (required(values, 'oauth_consumer_key') !== platform.consumerKey) {
    throw refusedLaunch('consumer key is another', 'launch_not_set_up');
  }
  mustBe(values, 'oauth_signature_method', 'HMAC-SHA1');
  mustBe(values, 'oauth_version', '1.0');
  const nonce = required(values, 'oauth_nonce');
  const timestamp = timestampIn(values);
  const signature = required(values, 'oauth_signature');
  if (sharedSecret === '' || !isSignedWith(request, signature, sharedSecret)) {
    throw refusedLaunch(WRONG_SIGNATURE, 'launch_not_set_up');
  }
  if (Math.abs(now / 1_000 - timestamp) > WINDOW_S)
    throw refusedLaunch('timestamp is not of now', 'launch_stale');
  mustBe(values, 'lti_message_type', 'basic-lti-launch-request');
  mustBe(values, 'lti_version', 'LTI-1p0');
  return { facts: factsIn(values, platform.id), nonce, timestamp };
}

type Values = ReadonlyMap<string, string>;

function valuesOf(request: SignedRequest): Values {
  const all = allParameters(request);
  if (all.length > MOST_PARAMETERS) throw refusedLaunch('too many parameters');
  const read = all.filter(([name]) => READ.test(name));
  const values = new Map<string, string>(read);
  if (values.size !== read.length) throw refusedLaunch('a parameter comes twice');
  if (read.some(isTooLong)) throw refusedLaunch('a parameter is too long');
  return values;
}

function isTooLong([name, value]: Parameter): boolean {
  return name.length > 255 || value.length > LONGEST_VALUE;
}

function required(values: Values, name: string): string {
  const value = Id.safeParse(values.get(name));
  if (!value.success) throw refusedLaunch(`parameter ${name} is missing or not as it must be`);
  return value.data;
}

function mustBe(values: Values, name: string, value: string): void {
  if (values.get(name) !== value) throw refusedLaunch(`parameter ${name} is not ${value}`);
}

function timestampIn(values: Values): number {
  const text = required(values, 'oauth_timestamp');
  if (!/^[1-9]\d{0,11}$/.test(text))
    throw refusedLaunch('parameter oauth_timestamp is missing or not as it must be');
  return Number(text);
}

function factsIn(values: Values, platformId: number): LaunchFacts {
  const given = values.get('lis_person_name_given');
  const family = values.get('lis_person_name_family');
  return {
    kind: 'activity',
    platformId,
    // There are none in LTI 1.1, nor services that this one speaks.
    deploymentId: '',
    services: { gradeScopes: [] },
    subject: required(values, 'user_id'),
    // Nobody said to teach is a learner.
    role: roleOf((values.get('roles') ?? '').split(',').map((role) => role.trim())),
    name: nameFrom(values.get('lis_person_name_full'), [given, family].filter(Boolean).join(' ')),
    locale: localeFrom(values.get('launch_presentation_locale')),
    course: courseFrom(values.get('context_id'), values.get('context_title'), values.get('context_label')),
    link: { id: required(values, 'resource_link_id'), title: nameFrom(values.get('resource_link_title')) },
    custom: customFrom(customIn(values)),
    returnUrl: addressFrom(values.get('launch_presentation_return_url')),
    openedIn: openedInFrom(values.get('launch_presentation_document_target')),
  };
}

function customIn(values: Values): readonly Parameter[] {
  return [...values]
    .filter(([name]) => name.startsWith(CUSTOM))
    .map(([name, value]) => [name.slice(CUSTOM.length), value]);
}
