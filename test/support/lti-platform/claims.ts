import type { Activity, Course, Person, Tool } from './school.js';

/** What Moodle's signed messages say, member by member. */

export type Claims = Readonly<Record<string, unknown>>;

export const LTI = 'https://purl.imsglobal.org/spec/lti/claim/';
export const DEEP_LINKING = 'https://purl.imsglobal.org/spec/lti-dl/claim/';
export const GRADES = 'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint';
export const ROSTER = 'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice';
const OUTCOME = 'https://purl.imsglobal.org/spec/lti-bo/claim/basicoutcome';

const AGS = 'https://purl.imsglobal.org/spec/lti-ags/scope/';
export const ROSTER_SCOPE = 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly';
export const GRADE_SCOPES = ['lineitem', 'lineitem.readonly', 'result.readonly', 'score'].map(
  (name) => AGS + name,
);

const MEMBERSHIP = 'http://purl.imsglobal.org/vocab/lis/v2/membership#';
export const ROLES: Readonly<Record<Person['role'], readonly string[]>> = {
  student: [`${MEMBERSHIP}Learner`],
  teacher: [`${MEMBERSHIP}Instructor`],
  tutor: [`${MEMBERSHIP}Instructor`],
  admin: [
    `${MEMBERSHIP}Instructor`,
    'http://purl.imsglobal.org/vocab/lis/v2/institution/person#Administrator',
    'http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator',
  ],
};

export interface Scene {
  /** The platform's own address, which is its issuer unless the tool says otherwise. */
  readonly site: string;
  readonly tool: Tool;
  readonly person: Person;
  readonly course: Course;
  readonly nonce: string;
  /** Seconds since the epoch; now, unless told. */
  readonly at?: number;
}

export type LaunchFixture = Scene & { readonly activity: Activity };

const SESSKEY = 'Qb3Kq0sBZ1';

const lineItemsUrl = ({ site, tool, course }: Pick<Scene, 'site' | 'tool' | 'course'>): string =>
  `${site}/mod/lti/services.php/${String(course.id)}/lineitems?type_id=${String(tool.id)}`;

export const lineItemUrl = (where: Pick<Scene, 'site' | 'tool' | 'course'>, id: number): string =>
  lineItemsUrl(where).replace('/lineitems?', `/lineitems/${String(id)}/lineitem?`);

export const membershipsUrl = ({ site, tool, course }: Pick<Scene, 'site' | 'tool' | 'course'>): string =>
  `${site}/mod/lti/services.php/CourseSection/${String(course.id)}/bindings/${String(tool.id)}/memberships`;

/** A click on an activity. */
export function launchClaims(scene: LaunchFixture): Claims {
  const { site, tool, activity, course } = scene;
  const container = activity.container ?? tool.container;
  const number = container === 'iframe' ? 3 : 4;
  const query = `course=${String(course.id)}&launch_container=${String(number)}&instanceid=${String(activity.id)}`;
  return {
    ...commonClaims(scene, { ...tool.custom, ...activity.custom }),
    [`${LTI}message_type`]: 'LtiResourceLinkRequest',
    [`${LTI}target_link_uri`]: activity.url ?? tool.launchUrl,
    [`${LTI}resource_link`]: {
      id: String(activity.id),
      title: activity.title,
      description: activity.description,
    },
    [`${LTI}launch_presentation`]: {
      locale: 'en',
      document_target: container,
      return_url: `${site}/mod/lti/return.php?${query}&sesskey=${SESSKEY}`,
    },
    ...gradeClaims(scene, activity.lineItem),
    ...(tool.privacy === 'full' && activity.lineItem !== null ? outcomeClaims(scene) : {}),
  };
}

/** "Select content" in the form of a new activity. */
export function deepLinkClaims(scene: Scene): Claims {
  const { site, tool, course } = scene;
  const query = `course=${String(course.id)}&id=${String(tool.id)}&sesskey=${SESSKEY}`;
  return {
    ...commonClaims(scene, tool.custom),
    [`${LTI}message_type`]: 'LtiDeepLinkingRequest',
    [`${LTI}target_link_uri`]: tool.contentUrl === '' ? tool.launchUrl : tool.contentUrl,
    [`${LTI}launch_presentation`]: { locale: 'en', document_target: 'iframe' },
    ...gradeClaims(scene, null),
    [`${DEEP_LINKING}deep_linking_settings`]: {
      accept_types: ['ltiResourceLink'],
      accept_presentation_document_targets: ['frame', 'iframe', 'window'],
      accept_copy_advice: false,
      accept_multiple: true,
      accept_unsigned: false,
      auto_create: false,
      can_confirm: false,
      deep_link_return_url: `${site}/mod/lti/contentitem_return.php?${query}`,
      title: tool.name,
      text: '',
    },
  };
}

function commonClaims(scene: Scene, custom: Readonly<Record<string, string>>): Claims {
  const { site, tool, person, course, nonce, at = Math.floor(Date.now() / 1_000) } = scene;
  const full = tool.privacy === 'full';
  return {
    ...{ nonce, iat: at, exp: at + 60, iss: tool.issuer ?? site, aud: tool.clientId, sub: String(person.id) },
    ...(full ? nameClaims(person) : {}),
    [`${LTI}deployment_id`]: String(tool.id),
    [`${LTI}version`]: '1.3.0',
    [`${LTI}roles`]: ROLES[person.role],
    [`${LTI}context`]: {
      id: String(course.id),
      label: course.label,
      title: course.title,
      type: ['CourseSection'],
    },
    [`${LTI}lis`]: { person_sourcedid: person.idnumber, course_section_sourcedid: course.idnumber },
    [`${LTI}ext`]: { ...(full ? { user_username: person.username } : {}), lms: 'moodle-2' },
    [`${LTI}tool_platform`]: TOOL_PLATFORM,
    ...(full ? { [`${LTI}custom`]: { ...custom, ...variables(scene) } } : {}),
    ...(full && tool.roster ? rosterClaims(scene) : {}),
  };
}

const TOOL_PLATFORM = {
  product_family_code: 'moodle',
  version: '2024100712.06',
  guid: '0da77e05c6fb4d15a8f1d2b3c4e5f607',
  name: 'testmoodle',
  description: 'Test Moodle',
};

const nameClaims = ({ given, family, email }: Person): Claims => ({
  ...{ given_name: given, family_name: family, name: `${given} ${family}`, email },
});

const variables = (scene: Scene): Claims => ({
  user_username: scene.person.username,
  context_memberships_url: membershipsUrl(scene),
  system_setting_url: `${scene.site}/mod/lti/services.php/tool/${String(scene.tool.id)}/custom`,
  // Moodle leaves this variable as it is.
  link_setting_url: `${scene.site}/mod/lti/services.php/links/{link_id}/custom`,
});

const rosterClaims = (scene: Scene): Claims => ({
  [ROSTER]: { context_memberships_url: membershipsUrl(scene), service_versions: ['1.0', '2.0'] },
});

function gradeClaims(scene: Scene, lineItem: number | null): Claims {
  if (!scene.tool.grades) return {};
  const own = lineItem !== null && scene.tool.privacy === 'full';
  const lineitem = own ? { lineitem: lineItemUrl(scene, lineItem) } : {};
  return { [GRADES]: { scope: GRADE_SCOPES, lineitems: lineItemsUrl(scene), ...lineitem } };
}

function outcomeClaims({ site, person, activity, tool }: LaunchFixture): Claims {
  const data = { instanceid: String(activity.id), userid: String(person.id), typeid: String(tool.id) };
  return {
    [OUTCOME]: {
      lis_result_sourcedid: JSON.stringify({ data, hash: '5d41402abc4b2a76b9719d911017c592' }),
      lis_outcome_service_url: `${site}/mod/lti/service.php`,
    },
  };
}
