import { z } from 'zod';
import * as wire from '../contract/admin.js';
import * as budget from '../contract/budgets.js';
import { pageOf } from '../contract/common.js';
import * as people from '../contract/people/invitations.js';
import { Connection } from '../contract/oauth.js';
import { ConfigBody } from '../middleware/administration.js';
import { type DescribedArea, optional } from '../openapi/operation.js';
import * as invitations from '../people/invitations.js';
import { ChangedPassword } from '../people/own-password.js';
import { ImportQuery } from '../people/people-import.js';
import * as keys from './api-keys.js';
import * as audit from './audit.js';
import { Proof } from './auth.js';
import * as budgets from './budgets.js';
import * as moodle from './moodle-check.js';
import * as organizations from './organizations.js';
import * as providers from './providers.js';
import * as search from './search.js';
import * as users from './users.js';

/** Who somebody is. */
export const account: DescribedArea = {
  subject: 'Account',
  about: 'Signing in, and keys for programs.',
  operations: {
    'POST /lamb/v1/auth/login': {
      summary: 'Sign in',
      access: 'everybody',
      body: Proof,
      answers: { 200: wire.SignedIn },
      errors: [401, 429],
    },
    'POST /lamb/v1/auth/logout': { summary: 'End the session', answers: { 204: null } },
    'GET /lamb/v1/me': { summary: 'Who is asking', answers: { 200: wire.Me } },
    'POST /lamb/v1/me/password': {
      summary: 'Change one’s own password, which ends every other session',
      body: ChangedPassword,
      answers: { 204: null },
      errors: [403, 429],
    },
    'POST /lamb/v1/auth/invitation': {
      summary: 'Read an invitation',
      access: 'everybody',
      body: invitations.OpenedInvitation,
      answers: { 200: people.OpenedInvitation },
      errors: [404, 429],
    },
    'POST /lamb/v1/auth/invitation/accept': {
      summary: 'Make the account that one was invited to, and sign in',
      access: 'everybody',
      body: invitations.AcceptedInvitation,
      answers: { 201: wire.SignedIn },
      errors: [404, 409, 429],
    },
    'GET /lamb/v1/setup': {
      summary: 'What is there to work with, and what is missing',
      answers: { 200: wire.Setup },
    },
    'GET /lamb/v1/api-keys': {
      summary: 'List keys',
      query: keys.ListQuery,
      answers: { 200: pageOf(wire.ApiKey) },
      errors: [404],
    },
    'POST /lamb/v1/api-keys': {
      summary: 'Make a key',
      body: keys.NewKey,
      answers: { 201: wire.MadeApiKey },
      errors: [404],
    },
    'DELETE /lamb/v1/api-keys/:id': {
      summary: 'Delete a key',
      params: keys.Id,
      query: keys.Whose,
      answers: { 204: null },
    },
    'GET /lamb/v1/connections': {
      summary: 'List programs that were let in',
      query: keys.ListQuery,
      answers: { 200: pageOf(Connection) },
      errors: [404],
    },
    'DELETE /lamb/v1/connections/:id': {
      summary: 'Disconnect a program',
      params: keys.Id,
      query: keys.Whose,
      answers: { 204: null },
    },
  },
};

const Config = z.record(z.string(), z.unknown()).describe('Secrets are masked.');

/** For those who look after an organisation. */
export const administration: DescribedArea = {
  subject: 'Administration',
  about: 'People, organisations, what they have set up, and what was done.',
  operations: {
    'GET /lamb/v1/users': {
      summary: 'List people',
      query: users.ListQuery,
      answers: { 200: pageOf(wire.Account) },
      errors: [404],
    },
    'GET /lamb/v1/users/:id': { summary: 'Read a person', params: users.Id, answers: { 200: wire.Account } },
    'POST /lamb/v1/users': {
      summary: 'Make an account',
      body: users.NewUser,
      answers: { 201: wire.Account },
      errors: [404, 409],
    },
    'POST /lamb/v1/users/import': {
      summary: 'Invite many people out of a CSV file',
      description:
        'The first line names the columns: `email,name,role`. Every line is checked before anybody is invited; with `dry_run` nobody is.',
      query: ImportQuery,
      body: { mediaType: 'multipart/form-data', files: 'one', fields: z.object({}) },
      answers: { 200: people.ImportReport },
      errors: [404],
    },
    'GET /lamb/v1/invitations': {
      summary: 'List invitations that nobody has accepted yet',
      query: invitations.ListQuery,
      answers: { 200: pageOf(people.Invitation) },
      errors: [404],
    },
    'POST /lamb/v1/invitations': {
      summary: 'Invite somebody',
      description:
        'No mail is sent: the link is handed on by whoever invites. It is good for seven days, and once.',
      body: invitations.NewInvited,
      answers: { 201: people.MadeInvitation },
      errors: [404, 409],
    },
    'DELETE /lamb/v1/invitations/:id': {
      summary: 'Take an invitation back',
      params: users.Id,
      answers: { 204: null },
    },
    'PATCH /lamb/v1/users/:id': {
      summary: 'Change an account',
      params: users.Id,
      body: users.ChangedUser,
      answers: { 200: wire.Account },
      errors: [409],
    },
    'GET /lamb/v1/organizations': {
      summary: 'List organisations',
      query: organizations.ListQuery,
      answers: { 200: pageOf(wire.Organization) },
    },
    'POST /lamb/v1/organizations': {
      summary: 'Make an organisation',
      body: organizations.NewOrganization,
      answers: { 201: wire.MadeOrganization },
      errors: [409],
    },
    'GET /lamb/v1/organizations/:id': {
      summary: 'Read an organisation',
      params: organizations.Id,
      answers: { 200: wire.Organization },
    },
    'PATCH /lamb/v1/organizations/:id': {
      summary: 'Rename an organisation',
      params: organizations.Id,
      body: organizations.ChangedOrganization,
      answers: { 200: wire.Organization },
    },
    'GET /lamb/v1/organizations/:id/config': {
      summary: 'Read what an organisation has set up',
      params: organizations.Id,
      answers: { 200: Config },
    },
    'PUT /lamb/v1/organizations/:id/config': {
      summary: 'Replace what an organisation has set up',
      params: organizations.Id,
      body: ConfigBody,
      answers: { 200: wire.ChangedConfig },
    },
    'GET /lamb/v1/organizations/:id/providers': {
      summary: 'Whether the model providers are asked',
      params: organizations.Id,
      answers: { 200: pageOf(wire.ProviderState) },
    },
    'POST /lamb/v1/organizations/:id/providers/:provider/test': {
      summary: 'Whether a model provider answers',
      params: providers.Id,
      body: optional(providers.Tried),
      answers: { 200: wire.ConnectionTest },
    },
    'POST /lamb/v1/organizations/:id/moodle/check': {
      summary: 'What Moodle shows of a student',
      params: moodle.Address,
      body: optional(moodle.Asked),
      answers: { 200: wire.MoodleCheck },
      errors: [409],
    },
    'GET /lamb/v1/organizations/:id/search': {
      summary: 'How documents are searched',
      params: search.Id,
      answers: { 200: wire.SearchState },
    },
    'POST /lamb/v1/local-models/:name/install': {
      summary: 'Install a model for searching by meaning',
      params: search.ModelName,
      answers: { 202: wire.Installing },
      errors: [409, 422],
    },
    'POST /lamb/v1/organizations/:id/embeddings/test': {
      summary: 'Whether a model makes vectors that can be searched by',
      params: search.Id,
      body: search.TriedEmbeddings,
      answers: { 200: wire.EmbeddingsTest },
    },
    'POST /lamb/v1/organizations/:id/reranker/test': {
      summary: 'Whether a model orders passages well',
      params: search.Id,
      body: search.TriedReranker,
      answers: { 200: wire.RerankerTest },
    },
    'GET /lamb/v1/audit': {
      summary: 'List what was done and what was refused',
      query: audit.ListQuery,
      answers: { 200: pageOf(wire.AuditRow) },
      errors: [404],
    },
  },
};

/** Who may spend how much. */
export const spending: DescribedArea = {
  subject: 'Budgets',
  about: 'Who may spend how much, and how much of it is left.',
  operations: {
    'GET /lamb/v1/budgets/mine': { summary: 'Your own budgets', answers: { 200: budget.OwnBudgets } },
    'GET /lamb/v1/budgets/alerts': {
      summary: 'List budgets that have reached a mark',
      answers: { 200: budget.BudgetAlertPage },
    },
    'GET /lamb/v1/budgets': { summary: 'List budgets', answers: { 200: budget.BudgetPage } },
    'POST /lamb/v1/budgets': {
      summary: 'Make a budget',
      body: budgets.NewBudget,
      answers: { 201: budget.Budget },
      errors: [404, 409],
    },
    'GET /lamb/v1/budgets/:id': {
      summary: 'Read a budget',
      params: budgets.Id,
      answers: { 200: budget.Budget },
    },
    'PATCH /lamb/v1/budgets/:id': {
      summary: 'Change a budget',
      params: budgets.Id,
      body: budgets.Change,
      answers: { 200: budget.Budget },
    },
    'DELETE /lamb/v1/budgets/:id': {
      summary: 'Delete a budget',
      params: budgets.Id,
      answers: { 204: null },
    },
    'GET /lamb/v1/lti/courses': {
      summary: 'List courses that people have come from',
      answers: { 200: pageOf(budget.LtiCourse) },
    },
  },
};
