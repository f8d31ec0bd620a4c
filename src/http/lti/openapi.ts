import { z } from 'zod';
import * as course from '../contract/activities.js';
import * as wire from '../contract/lti.js';
import { pageOf } from '../contract/common.js';
import { Submission } from '../contract/submissions.js';
import { Proof } from '../admin/auth.js';
import { PageQuery } from '../middleware/query.js';
import { bytes, type DescribedArea, type Form, type Operation, optional } from '../openapi/operation.js';
import { Consent } from './activity/account.js';
import * as activities from './activity/activities.js';
import { ActivityBody } from './activity/activity-body.js';
import * as insight from './activity/insight.js';
import { ChosenBody } from './activity/placements.js';
import { ListQuery as AssistantQuery } from './activity/session.js';
import * as work from './activity/submission-body.js';
import { Question } from './launch/visit-page.js';
import { NewRegistration } from './own-tool.js';
import { ChangedPlatformBody, NewPlatformBody } from './platform-body.js';
import * as platforms from './platforms.js';

export const platformsOf: DescribedArea = {
  subject: 'Learning platforms',
  about: 'The platforms that may bring people in, for administrators.',
  operations: {
    'GET /lamb/v1/lti/platforms': {
      summary: 'List platforms',
      query: platforms.ListQuery,
      answers: { 200: pageOf(wire.Platform) },
      errors: [404],
    },
    'POST /lamb/v1/lti/platforms': {
      summary: 'Register a platform',
      body: NewPlatformBody,
      answers: { 201: wire.Platform },
      errors: [404, 409],
    },
    'GET /lamb/v1/lti/platforms/:id': {
      summary: 'Read a platform',
      params: platforms.Id,
      answers: { 200: wire.Platform },
    },
    'PATCH /lamb/v1/lti/platforms/:id': {
      summary: 'Change a platform',
      params: platforms.Id,
      body: z.union([ChangedPlatformBody['1.3'], ChangedPlatformBody['1.1']]),
      answers: { 200: wire.Platform },
      errors: [409],
    },
    'POST /lamb/v1/lti/platforms/:id/test': {
      summary: 'Whether a platform can be reached and is set up well',
      params: platforms.Id,
      answers: { 200: wire.PlatformTest },
    },
    'DELETE /lamb/v1/lti/platforms/:id': {
      summary: 'Delete a platform',
      params: platforms.Id,
      answers: { 204: null },
    },
    'GET /lamb/v1/lti/tool': {
      summary: 'What a platform has to be told about this service',
      answers: { 200: wire.LtiTool },
    },
    'POST /lamb/v1/lti/registrations': {
      summary: 'Make a link by which a platform registers itself',
      body: optional(NewRegistration),
      answers: { 201: wire.RegistrationLink },
      errors: [404],
    },
    'GET /lamb/v1/lti/keys': { summary: "List this service's keys", answers: { 200: wire.LtiKeys } },
    'POST /lamb/v1/lti/keys/rotate': {
      summary: 'Sign with a new key from now on',
      answers: { 201: wire.LtiKeys },
    },
  },
};

const ofActivity = { params: activities.Id } as const;
const decision = { answers: { 200: Submission }, errors: [409] } as const;
const submissions = '/lamb/v1/lti/activities/:id/submissions';

export const visits: DescribedArea = {
  subject: 'Inside a course',
  about: 'Activities, and what the pages ask that a platform has opened. Most of it is for visits alone.',
  operations: {
    'GET /lamb/v1/lti/activities': {
      summary: 'List activities',
      query: activities.ListQuery,
      answers: { 200: pageOf(course.Activity) },
    },
    'GET /lamb/v1/lti/activities/:id': {
      ...ofActivity,
      summary: 'Read an activity',
      answers: { 200: course.Activity },
    },
    'PATCH /lamb/v1/lti/activities/:id': {
      ...ofActivity,
      summary: 'Set up an activity',
      body: ActivityBody,
      answers: { 200: course.Activity },
      errors: [409],
    },
    'GET /lamb/v1/lti/session': { summary: 'Who has come from where', answers: { 200: course.LtiSession } },
    'GET /lamb/v1/lti/session/assistants': {
      summary: 'List assistants that can be placed',
      query: AssistantQuery,
      answers: { 200: pageOf(course.UsableAssistant) },
    },
    'POST /lamb/v1/lti/session/end': { summary: 'End the visit', answers: { 204: null } },
    'POST /lamb/v1/lti/session/account': {
      summary: 'Prove which account here is yours',
      body: Proof,
      answers: { 200: course.LinkedTo },
    },
    'DELETE /lamb/v1/lti/session/account': { summary: 'Use that account no longer', answers: { 204: null } },
    'POST /lamb/v1/lti/session/consent': {
      summary: 'Agree to be read by name',
      body: Consent,
      answers: { 200: course.Consented },
      errors: [404, 409],
    },
    'DELETE /lamb/v1/lti/session/consent': {
      summary: 'Agree to it no longer',
      answers: { 204: null },
      errors: [404],
    },
    'GET /lamb/v1/lti/session/export': {
      summary: 'Fetch all that is kept about you in this activity',
      answers: { 200: course.OwnData },
      errors: [404],
    },
    'DELETE /lamb/v1/lti/session/data': {
      summary: 'Have all of it erased',
      answers: { 204: null },
      errors: [404],
    },
    'POST /lamb/v1/lti/session/placements': {
      summary: 'Place assistants in the course',
      body: ChosenBody,
      answers: { 200: course.Placed },
      errors: [409],
    },
    'GET /lamb/v1/lti/activities/:id/dashboard': {
      summary: 'What students do, in sums',
      params: insight.Place,
      query: insight.DashboardQuery,
      answers: { 200: course.Dashboard },
    },
    'GET /lamb/v1/lti/activities/:id/transcripts': {
      summary: 'List conversations, as far as the activity lets teachers',
      params: insight.Place,
      query: PageQuery,
      answers: { 200: course.TranscriptPage },
    },
    'GET /lamb/v1/lti/activities/:id/transcripts/:conversation': {
      summary: 'Read one of them',
      params: insight.Place,
      answers: { 200: course.Transcript },
    },
    [`GET ${submissions}`]: {
      summary: 'List works that were handed in',
      query: work.SubmissionQuery,
      answers: { 200: pageOf(Submission) },
    },
    [`POST ${submissions}`]: {
      summary: 'Hand something in',
      body: work.SubmissionBody,
      answers: { 202: Submission },
      errors: [409],
    },
    [`GET ${submissions}/:sid`]: { summary: 'Read a work', answers: { 200: Submission } },
    [`PATCH ${submissions}/:sid`]: { ...decision, summary: 'Change a grade', body: work.GradeChange },
    [`DELETE ${submissions}/:sid`]: {
      summary: 'Take back what you handed in',
      answers: { 204: null },
      errors: [409],
    },
    [`POST ${submissions}/:sid/approve`]: { ...decision, summary: 'Approve a grade', body: work.Approval },
    [`POST ${submissions}/:sid/reject`]: { ...decision, summary: 'Hand a work back', body: work.Rejection },
    [`POST ${submissions}/:sid/evaluate`]: {
      ...decision,
      summary: 'Have a grade proposed again',
      body: optional(work.TryingAgain),
    },
    [`POST ${submissions}/:sid/post`]: {
      ...decision,
      summary: 'Send a grade to the course again',
      body: optional(work.TryingAgain),
    },
  },
};

const everybody = { access: 'everybody', refusesInPages: true } as const;
/** What is in it, LTI says. */
const form: Form = { mediaType: 'application/x-www-form-urlencoded', fields: z.looseObject({}) };
const html = bytes('text/html');
const step = { ...everybody, errors: [401, 403, 404, 409, 422, 429, 502, 504] } as const;
const onlyPost: Operation = { ...everybody, summary: 'Only platforms come here', answers: {}, errors: [405] };
const script: Operation = {
  ...everybody,
  summary: 'A part of the pages on the way in',
  answers: { 200: bytes('text/javascript') },
};
const page: Operation = {
  ...everybody,
  summary: 'The page inside a course',
  answers: { 200: html, 304: null },
  errors: [401, 403, 404],
};

export const launches: DescribedArea = {
  subject: 'Coming from a learning platform',
  about: 'LTI 1.3 and 1.1: what platforms and the browsers of their people call.',
  operations: {
    'GET /lti/login': { ...step, summary: 'Begin a launch', answers: { 200: html, 302: null } },
    'POST /lti/login': { ...step, summary: 'Begin a launch', body: form, answers: { 200: html, 302: null } },
    'GET /lti/launch': onlyPost,
    'POST /lti/launch': {
      ...step,
      summary: 'Open an activity',
      body: form,
      answers: { 200: html, 302: null, 303: null },
    },
    'POST /lti/deep-link': {
      ...step,
      summary: 'Choose what is behind a new link',
      body: form,
      answers: { 200: html, 302: null, 303: null },
    },
    'GET /lti/v1p1/launch': onlyPost,
    'POST /lti/v1p1/launch': {
      ...step,
      summary: 'Open an activity, by LTI 1.1',
      body: form,
      answers: { 200: html, 302: null, 303: null },
    },
    'GET /lti/continue': onlyPost,
    'POST /lti/continue': {
      ...step,
      summary: 'Go on in a window',
      body: form,
      answers: { 200: html, 302: null, 303: null },
    },
    'GET /lti/submit.js': script,
    'GET /lti/close.js': script,
    'GET /lti/register': {
      ...step,
      summary: 'A platform registers itself',
      answers: { 200: html },
    },
    'GET /lti/activity/:session': page,
    'GET /lti/deep-link{/:session}': page,
    'POST /lti/session': {
      access: 'browser of a visit',
      refusesInPages: true,
      summary: "Trade the browser's cookie for the visit's token",
      body: Question,
      answers: { 200: wire.VisitToken },
      errors: [401, 403, 429],
    },
    'GET /lti/jwks.json': {
      ...everybody,
      summary: "This service's public keys",
      answers: { 200: wire.PublicKeys },
    },
  },
};
