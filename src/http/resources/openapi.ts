import { z } from 'zod';
import { AREAS, SINGLE_PAGES } from '../contract/pages.js';
import * as chat from '../contract/chat.js';
import { pageOf } from '../contract/common.js';
import * as wire from '../contract/resources.js';
import * as run from '../contract/runs.js';
import * as report from '../contract/usage.js';
import { bytes, type DescribedArea, type Operation } from '../openapi/operation.js';
import { NoFields } from './attachments.js';
import * as conversations from './conversations.js';
import * as feedback from './feedback.js';
import * as files from './files.js';
import * as rubrics from './rubrics.js';
import * as runs from './runs.js';
import { UsageQuery } from './usage.js';

export const talks: DescribedArea = {
  subject: 'Conversations and runs',
  about: 'What was said, what happened for it, and what it cost.',
  operations: {
    'GET /lamb/v1/conversations': {
      summary: 'List your conversations',
      query: conversations.ListQuery,
      answers: { 200: pageOf(chat.Conversation) },
    },
    'POST /lamb/v1/conversations': {
      summary: 'Begin a conversation',
      body: conversations.NewConversation,
      answers: { 201: chat.Conversation },
      errors: [404],
    },
    'GET /lamb/v1/conversations/folders': {
      summary: 'List the folders that your conversations are in',
      answers: { 200: pageOf(chat.ConversationFolder) },
    },
    'GET /lamb/v1/conversations/:id': {
      summary: 'Read a conversation',
      answers: { 200: chat.WholeConversation },
    },
    'PATCH /lamb/v1/conversations/:id': {
      summary: 'Rename a conversation, pin it, or put it into a folder',
      body: conversations.ConversationPatch,
      answers: { 200: chat.Conversation },
    },
    'POST /lamb/v1/conversations/:id/rewind': {
      summary: 'Go back to an earlier message',
      body: conversations.Rewinding,
      answers: { 200: chat.WholeConversation },
    },
    'DELETE /lamb/v1/conversations/:id': { summary: 'Delete a conversation', answers: { 204: null } },
    'GET /lamb/v1/runs': {
      summary: 'List runs',
      query: runs.ListQuery,
      answers: { 200: pageOf(run.Run) },
    },
    'GET /lamb/v1/runs/:id': {
      summary: 'Read a run with its steps, without what was said',
      answers: { 200: run.RunWithSteps },
    },
    'POST /lamb/v1/runs/:id/feedback': {
      summary: 'Say what you think of an answer',
      body: feedback.FeedbackBody,
      answers: { 200: run.Feedback },
    },
    'GET /lamb/v1/assistants/:id/feedback': {
      summary: 'What people think of its answers, without names',
      answers: { 200: run.AssistantFeedback },
    },
    'GET /lamb/v1/usage': {
      summary: 'What was used and what it cost',
      query: UsageQuery,
      answers: { 200: [report.UsageReport, bytes('text/csv')] },
      errors: [404],
    },
  },
};

export const material: DescribedArea = {
  subject: 'Rubrics and files',
  about: 'What assistants work with, each its owner’s.',
  operations: {
    'GET /lamb/v1/rubrics': {
      summary: 'List rubrics',
      query: rubrics.ListQuery,
      answers: { 200: pageOf(wire.Rubric) },
    },
    'POST /lamb/v1/rubrics': {
      summary: 'Make a rubric',
      body: rubrics.RubricBody,
      answers: { 201: wire.Rubric },
    },
    'POST /lamb/v1/rubrics/preview': {
      summary: 'Read a rubric as a model would, without storing it',
      body: rubrics.RubricBody,
      answers: { 200: wire.RubricPreview },
    },
    'GET /lamb/v1/rubrics/:id': {
      summary: 'Read a rubric',
      query: rubrics.Format,
      answers: { 200: [wire.Rubric, bytes('text/markdown')] },
      errors: [422],
    },
    'PUT /lamb/v1/rubrics/:id': {
      summary: 'Change a rubric',
      body: rubrics.RubricChange,
      answers: { 200: wire.Rubric },
      errors: [409],
    },
    'DELETE /lamb/v1/rubrics/:id': { summary: 'Delete a rubric', answers: { 204: null } },
    'GET /lamb/v1/files': {
      summary: 'List your files',
      query: files.ListQuery,
      answers: { 200: pageOf(z.union([wire.StoredFile, wire.Folder])) },
      errors: [404],
    },
    'POST /lamb/v1/files': {
      summary: 'Store a file',
      body: { mediaType: 'multipart/form-data', files: 'one', fields: files.UploadFields },
      answers: { 201: wire.StoredFile },
      errors: [404, 409, 507],
    },
    'GET /lamb/v1/files/*path': {
      summary: 'Fetch one of your files',
      answers: { 200: bytes('application/octet-stream') },
    },
    'DELETE /lamb/v1/files/*path': { summary: 'Delete one of your files', answers: { 204: null } },
    'POST /lamb/v1/attachments': {
      summary: 'Send a file along',
      description:
        'For a question, as `{"type": "file", "file": {"file_id": …}}`, or a picture for the avatar of an assistant. ' +
        'Its text is read once, and while that goes on its status is `reading`. What belongs to nothing a day later is gone.',
      body: { mediaType: 'multipart/form-data', files: 'one', fields: NoFields },
      answers: { 201: wire.Attachment },
      errors: [400, 413, 429, 507],
    },
    'GET /lamb/v1/attachments/:id': {
      summary: 'Read what has become of a file that you sent along',
      answers: { 200: wire.Attachment },
    },
  },
};

const everybody = { access: 'everybody' } as const;
const page: Operation = {
  ...everybody,
  summary: 'A page of the web UI',
  answers: { 200: bytes('text/html'), 304: null },
  // Where the web UI was not built.
  errors: [404],
};
const script: Operation = {
  ...page,
  refusesInPages: true,
  summary: 'A part of the web UI',
  answers: {
    200: bytes('text/javascript', 'text/css', 'image/svg+xml', 'image/png', 'font/woff2'),
    304: null,
  },
};
const picture = { ...page, summary: 'Our sign', answers: { 200: bytes('image/svg+xml'), 304: null } };

const PAGES = ['/', '/docs', ...SINGLE_PAGES, ...AREAS.map((area) => `${area}{/*rest}`)];

/** What is no call of the API. */
export const pages: DescribedArea = {
  subject: 'Service and pages',
  about: 'Whether the service is well, this description, links out of answers, and the web UI.',
  operations: {
    'GET /healthz': {
      ...everybody,
      summary: 'Whether the service is alive',
      answers: { 200: z.object({ status: z.literal('ok') }) },
    },
    'GET /readyz': {
      ...everybody,
      summary: 'Whether the service takes new work',
      answers: {
        200: z.object({ status: z.literal('ready') }),
        503: z.object({ status: z.literal('not ready') }),
      },
    },
    'GET /metrics': {
      ...everybody,
      summary: 'What the service measures, for Prometheus',
      description: 'With METRICS_TOKEN as bearer; without one set, from the same machine alone.',
      answers: { 200: bytes('text/plain') },
      errors: [401, 403],
    },
    'GET /openapi.json': {
      ...everybody,
      summary: 'This description',
      answers: { 200: z.looseObject({ openapi: z.string() }), 304: null },
    },
    'GET /pictures/:token': {
      ...everybody,
      summary: 'A picture that an answer shows',
      answers: { 200: bytes('image/png', 'image/jpeg', 'image/gif', 'image/webp') },
    },
    ...Object.fromEntries(PAGES.map((path) => [`GET ${path}`, page])),
    'GET /assets/:name': script,
    'GET /theme.js': script,
    'GET /manifest.webmanifest': {
      ...page,
      summary: 'How the pages are installed as an app',
      answers: { 200: bytes('application/manifest+json'), 304: null },
    },
    'GET /app-icons/:name': {
      ...page,
      refusesInPages: true,
      summary: 'Our sign, for an app',
      answers: { 200: bytes('image/png'), 304: null },
    },
    'GET /favicon.svg': picture,
    'GET /favicon.ico': picture,
  },
};
