/** The addresses of the pages of administration. */
export const places = {
  start: '/admin',
  users: '/admin/users',
  organizations: '/admin/organizations',
  organization: (id: number | string, part: SettingsPart = 'providers') =>
    `/admin/organizations/${String(id)}${part === 'providers' ? '' : `/${part}`}`,
  lti: '/admin/lti',
  activities: '/admin/activities',
  keys: '/admin/api-keys',
  audit: '/admin/audit',
};

/** What an organisation has set up, part by part. */
export const SETTINGS_PARTS = ['providers', 'models', 'prices', 'knowledge', 'moodle', 'json'] as const;
export type SettingsPart = (typeof SETTINGS_PARTS)[number];
