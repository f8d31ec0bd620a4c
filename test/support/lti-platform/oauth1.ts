import { createHmac, randomBytes } from 'node:crypto';
import type { LaunchFixture } from './claims.js';

/** Launches of LTI 1.1: a form signed with a shared secret, as OAuth 1.0a has it. */

/** In order, since a name may come twice. */
export type Pairs = readonly (readonly [name: string, value: string])[];

export interface Signing {
  /** Where the form is posted to. */
  readonly url: string;
  readonly secret: string;
  readonly consumerKey: string;
  readonly method?: 'HMAC-SHA1' | 'HMAC-SHA256' | 'PLAINTEXT';
  /** Seconds since the epoch; now, unless told. */
  readonly timestamp?: number | string;
  readonly nonce?: string;
}

const ALGORITHM = { 'HMAC-SHA1': 'sha1', 'HMAC-SHA256': 'sha256' };

/** The parameters with those of the protocol and their signature. */
export function signForm(params: Pairs, signing: Signing): Pairs {
  const { method = 'HMAC-SHA1', secret, url } = signing;
  const pairs: Pairs = [...protocolPairs(signing, method), ...params];
  const key = `${encode(secret)}&`;
  const signature =
    method === 'PLAINTEXT'
      ? key
      : createHmac(ALGORITHM[method], key).update(baseString(url, pairs)).digest('base64');
  return [...pairs, ['oauth_signature', signature]];
}

function protocolPairs(signing: Signing, method: string): Pairs {
  const { timestamp = Math.floor(Date.now() / 1_000), nonce = randomBytes(16).toString('hex') } = signing;
  return [
    ['oauth_version', '1.0'],
    ['oauth_nonce', nonce],
    ['oauth_timestamp', String(timestamp)],
    ['oauth_consumer_key', signing.consumerKey],
    ['oauth_callback', 'about:blank'],
    ['oauth_signature_method', method],
  ];
}

/** What is signed: the method, the address without its query, and every parameter of both, sorted. */
export function baseString(address: string, pairs: Pairs): string {
  const url = new URL(address);
  const all = [...url.searchParams, ...pairs].map(([name, value]) => [encode(name), encode(value)] as const);
  const sorted = all.toSorted(([a, x], [b, y]) => compare(a, b) || compare(x, y));
  const query = sorted.map(([name, value]) => `${name}=${value}`).join('&');
  return ['POST', encode(url.origin + url.pathname), encode(query)].join('&');
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** RFC 3986: JavaScript leaves five more characters as they are. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** What Moodle says in such a launch. */
export function launchParams({ site, tool, person, course, activity }: LaunchFixture): Pairs {
  const full = tool.privacy === 'full';
  const custom = Object.entries({ ...tool.custom, ...activity.custom });
  return [
    ['user_id', String(person.id)],
    ['lis_person_sourcedid', person.idnumber],
    ['roles', ROLES[person.role]],
    ['context_id', String(course.id)],
    ['context_label', course.label],
    ['context_title', course.title],
    ['lti_message_type', 'basic-lti-launch-request'],
    ['resource_link_title', activity.title],
    ['resource_link_description', activity.description],
    ['resource_link_id', String(activity.id)],
    ['context_type', 'CourseSection'],
    ['lis_course_section_sourcedid', course.idnumber],
    [
      'lis_result_sourcedid',
      JSON.stringify({
        data: { instanceid: String(activity.id), userid: String(person.id) },
        hash: 'd41d8c',
      }),
    ],
    ['lis_outcome_service_url', `${site}/mod/lti/service.php`],
    ...(full ? namePairs(person) : []),
    ...custom.map(([name, value]) => [`custom_${name}`, value] as const),
    ['launch_presentation_locale', 'en'],
    ['ext_lms', 'moodle-2'],
    ['tool_consumer_info_product_family_code', 'moodle'],
    ['tool_consumer_info_version', '2024100712.06'],
    ['lti_version', 'LTI-1p0'],
    ['tool_consumer_instance_guid', '0da77e05c6fb4d15a8f1d2b3c4e5f607'],
    ['tool_consumer_instance_name', 'testmoodle'],
    ['tool_consumer_instance_description', 'Test Moodle'],
    ['launch_presentation_document_target', activity.container ?? tool.container],
    [
      'launch_presentation_return_url',
      `${site}/mod/lti/return.php?course=${String(course.id)}&launch_container=3&instanceid=${String(activity.id)}`,
    ],
  ];
}

const ROLES = {
  student: 'Learner',
  teacher: 'Instructor',
  tutor: 'Instructor',
  admin: 'Instructor,urn:lti:sysrole:ims/lis/Administrator,urn:lti:instrole:ims/lis/Administrator',
};

const namePairs = (person: LaunchFixture['person']): Pairs => [
  ['lis_person_name_given', person.given],
  ['lis_person_name_family', person.family],
  ['lis_person_name_full', `${person.given} ${person.family}`],
  ['ext_user_username', person.username],
  ['lis_person_contact_email_primary', person.email],
];
