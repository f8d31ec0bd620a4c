import type { DeepLinkingSettings, LaunchFacts, LaunchServices } from '../core/lti/launch.js';
import type { LaunchClaims } from './launch-claims.js';
import {
  addressFrom,
  courseFrom,
  customFrom,
  localeFrom,
  nameFrom,
  openedInFrom,
} from './optional-claims.js';
import { roleOf } from './roles.js';

type DeepLinkingClaims = Extract<LaunchClaims, { message_type: 'LtiDeepLinkingRequest' }>;

/** What a launch of LTI 1.3 says, once everything in it has been verified. */
export function launchFacts(platformId: number, claims: LaunchClaims): LaunchFacts {
  const { context, launch_presentation: shown } = claims;
  const basis = {
    platformId,
    deploymentId: claims.deployment_id,
    subject: claims.sub,
    role: roleOf(claims.roles),
    name: nameFrom(claims.name, [claims.given_name, claims.family_name].filter(Boolean).join(' ')),
    locale: localeFrom(shown?.locale),
    course: courseFrom(context?.id, context?.title, context?.label),
    custom: customFrom(Object.entries(claims.custom ?? {})),
    services: servicesIn(claims),
    returnUrl: addressFrom(shown?.return_url),
    openedIn: openedInFrom(shown?.document_target),
  };
  if (claims.message_type === 'LtiDeepLinkingRequest') {
    return { ...basis, kind: 'deep_link', settings: settingsIn(claims) };
  }
  const { id, title } = claims.resource_link;
  return { ...basis, kind: 'activity', link: { id, title: nameFrom(title) } };
}

function servicesIn({ grades, roster }: LaunchClaims): LaunchServices {
  return {
    lineItemUrl: addressFrom(grades?.lineitem),
    lineItemsUrl: addressFrom(grades?.lineitems),
    gradeScopes: grades?.scope ?? [],
    membershipsUrl: addressFrom(roster?.context_memberships_url),
  };
}

function settingsIn({ deep_linking_settings: settings }: DeepLinkingClaims): DeepLinkingSettings {
  return {
    returnUrl: settings.deep_link_return_url,
    acceptMultiple: settings.accept_multiple ?? false,
    // Moodle takes grade columns and does not say so; only a platform that says no does not.
    acceptLineItem: settings.accept_lineitem ?? true,
    data: settings.data ?? undefined,
  };
}
