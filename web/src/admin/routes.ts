import type { Route } from '../routing/route.ts';

/** The addresses of the pages of administration. */
export const places = {
  start: '/admin',
  users: '/admin/users',
  invitations: '/admin/users/invitations',
  password: '/admin/password',
  organizations: '/admin/organizations',
  organization: (id: number | string, part: SettingsPart = 'providers') =>
    `/admin/organizations/${String(id)}${part === 'providers' ? '' : `/${part}`}`,
  lti: '/admin/lti',
  activities: '/admin/activities',
  keys: '/admin/api-keys',
  budgets: '/admin/budgets',
  budget: (id: string) => `/admin/budgets/${id}`,
  audit: '/admin/audit',
};

/** What an organisation has set up, part by part. */
export const SETTINGS_PARTS = [
  'providers',
  'models',
  'prices',
  'limits',
  'links',
  'templates',
  'knowledge',
  'moodle',
  'json',
] as const;
export type SettingsPart = (typeof SETTINGS_PARTS)[number];

const organization = {
  page: 'organization',
  load: () => import('./settings/OrganizationPage.svelte'),
};

export const adminRoutes: readonly Route[] = [
  { path: places.start, page: 'admin', load: () => import('./AdminPage.svelte') },
  { path: places.users, page: 'users', load: () => import('./users/UsersPage.svelte') },
  {
    path: places.invitations,
    page: 'invitations',
    load: () => import('./invitations/InvitationsPage.svelte'),
  },
  { path: places.password, page: 'password', load: () => import('./account/PasswordPage.svelte') },
  {
    path: places.organizations,
    page: 'organizations',
    load: () => import('./organizations/OrganizationsPage.svelte'),
  },
  ...SETTINGS_PARTS.map((part) => ({ path: places.organization(':organization', part), ...organization })),
  { path: places.lti, page: 'lti', load: () => import('./lti/LtiPage.svelte') },
  {
    path: places.activities,
    page: 'activities',
    load: () => import('./activities/ActivitiesPage.svelte'),
  },
  { path: places.keys, page: 'api-keys', load: () => import('./keys/KeysPage.svelte') },
  { path: places.budgets, page: 'budgets', load: () => import('./budgets/BudgetsPage.svelte') },
  { path: places.budget(':budget'), page: 'budget', load: () => import('./budgets/BudgetPage.svelte') },
  { path: places.audit, page: 'audit', load: () => import('./audit/AuditPage.svelte') },
];
