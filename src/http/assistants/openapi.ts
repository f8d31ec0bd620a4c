import { z } from 'zod';
import { chat } from '../chat/openapi.js';
import * as wire from '../contract/assistants.js';
import { pageOf } from '../contract/common.js';
import * as installed from '../contract/tools.js';
import { PageQuery } from '../middleware/query.js';
import { bytes, type DescribedArea, optional } from '../openapi/operation.js';
import { Question } from './access.js';
import { ListQuery } from './assistants.js';
import { ChangedAssistant, NewAssistant } from './body.js';
import { PictureQuery } from './avatar.js';
import * as bundles from './bundles.js';
import { Converting } from './conversion.js';
import { StartersWish } from './drafts/draft-starters.js';
import * as preview from './drafts/preview.js';
import { NewTrial, TrialBody } from './drafts/try.js';
import { Id } from './lookup.js';
import * as templates from './prompt-templates.js';
import * as sharing from './sharing.js';
import { Validation } from './tools.js';
import * as versions from './versions.js';

const TRIED =
  'A chat like any other, with the `draft` instead of what is stored; of it all, the run alone is kept. `conversation_id` is refused.';

const AtVersion = Id.extend(versions.Address.shape);

export const assistants: DescribedArea = {
  subject: 'Assistants',
  about: 'Making assistants, sharing them, and going back to what they were.',
  operations: {
    'GET /lamb/v1/assistants': {
      summary: 'List assistants',
      query: ListQuery,
      answers: { 200: pageOf(wire.Assistant) },
    },
    'POST /lamb/v1/assistants': {
      summary: 'Make an assistant',
      body: NewAssistant,
      answers: { 201: wire.Assistant },
      errors: [409],
    },
    'GET /lamb/v1/assistants/:id': {
      summary: 'Read an assistant',
      params: Id,
      answers: { 200: wire.Assistant },
    },
    'PUT /lamb/v1/assistants/:id': {
      summary: 'Change an assistant, which makes a new version of it',
      params: Id,
      body: ChangedAssistant,
      answers: { 200: wire.Assistant },
      errors: [409],
    },
    'DELETE /lamb/v1/assistants/:id': {
      summary: 'Put an assistant into the bin',
      params: Id,
      answers: { 204: null },
    },
    'POST /lamb/v1/assistants/:id/restore': {
      summary: 'Take an assistant out of the bin',
      params: Id,
      answers: { 200: wire.Assistant },
      errors: [409],
    },
    'POST /lamb/v1/assistants/:id/convert': {
      summary: "Bring an assistant's metadata into the form of today",
      params: Id,
      body: optional(Converting),
      answers: { 200: wire.Conversion },
      errors: [409],
    },
    'GET /lamb/v1/assistants/:id/export': {
      summary: 'Export an assistant',
      params: Id,
      answers: { 200: wire.Bundle },
    },
    'POST /lamb/v1/assistants/import': {
      summary: 'Import an assistant',
      description: 'An exported file as it is, or `bundle` with a name to give it.',
      body: z.union([bundles.ImportBody, bundles.Bundle, bundles.LambExport]),
      answers: { 201: wire.Imported },
      errors: [409],
    },
    'POST /lamb/v1/assistants/preview': {
      summary: 'Read the prompt of an assistant that is not saved yet',
      body: preview.NewPreview,
      answers: { 200: wire.Preview },
      errors: [404, 502, 504],
    },
    'POST /lamb/v1/assistants/:id/preview': {
      summary: "Read an assistant's prompt for a question",
      params: Id,
      body: preview.PreviewBody,
      answers: { 200: wire.Preview },
      errors: [502, 504],
    },
    'POST /lamb/v1/assistants/try': {
      ...chat,
      summary: 'Ask an assistant that is not saved yet',
      description: TRIED,
      body: NewTrial,
    },
    'POST /lamb/v1/assistants/:id/try': {
      ...chat,
      summary: 'Ask an assistant as it is being written',
      description: TRIED,
      params: Id,
      body: TrialBody,
    },
    'POST /lamb/v1/assistants/draft-starters': {
      summary: 'Have a model draft questions to begin with',
      body: StartersWish,
      answers: { 200: wire.DraftedStarters },
      errors: [404, 502, 504],
    },
    'GET /lamb/v1/assistants/:id/avatar': {
      summary: "An assistant's picture",
      params: Id,
      query: PictureQuery,
      answers: { 200: bytes('image/png', 'image/jpeg', 'image/webp'), 304: null },
      sends: { ETag: 'What its bytes are, for `If-None-Match`.' },
    },
    'GET /lamb/v1/assistants/:id/access-check': {
      summary: 'Why somebody may use an assistant, or may not',
      params: Id,
      query: Question,
      answers: { 200: wire.AccessCheck },
    },
    'POST /lamb/v1/assistants/:id/publish': {
      summary: 'Publish an assistant, or no longer',
      params: Id,
      body: sharing.Publication,
      answers: { 200: wire.Assistant },
      errors: [409],
    },
    'GET /lamb/v1/assistants/:id/shares': {
      summary: 'List whom an assistant is shared with by name',
      params: Id,
      query: PageQuery,
      answers: { 200: pageOf(wire.Share) },
    },
    'POST /lamb/v1/assistants/:id/shares': {
      summary: 'Share an assistant with somebody',
      params: Id,
      body: sharing.NewShare,
      answers: { 201: wire.Share },
      errors: [409],
    },
    'DELETE /lamb/v1/assistants/:id/shares/:email': {
      summary: 'Share it no longer',
      params: Id,
      answers: { 204: null },
    },
    'GET /lamb/v1/assistants/:id/versions': {
      summary: 'List versions, the newest first',
      params: Id,
      query: PageQuery,
      answers: { 200: pageOf(wire.VersionFacts) },
    },
    'GET /lamb/v1/assistants/:id/versions/:n': {
      summary: 'Read a version',
      params: AtVersion,
      answers: { 200: wire.Version },
    },
    'GET /lamb/v1/assistants/:id/versions/:n/diff': {
      summary: 'What differs between two versions',
      params: AtVersion,
      query: versions.DiffQuery,
      answers: { 200: wire.VersionDiff },
    },
    'POST /lamb/v1/assistants/:id/versions/:n/restore': {
      summary: 'Make an earlier version the newest',
      params: AtVersion,
      body: optional(versions.Restoring),
      answers: { 200: wire.Assistant },
      errors: [409],
    },
    'GET /lamb/v1/prompt-templates': {
      summary: 'List prompt templates',
      query: templates.ListQuery,
      answers: { 200: pageOf(wire.PromptTemplate) },
    },
    'POST /lamb/v1/prompt-templates': {
      summary: 'Make a prompt template',
      body: templates.Body,
      answers: { 201: wire.PromptTemplate },
      errors: [409],
    },
    'GET /lamb/v1/prompt-templates/:id': {
      summary: 'Read a prompt template',
      params: templates.Id,
      answers: { 200: wire.PromptTemplate },
    },
    'PUT /lamb/v1/prompt-templates/:id': {
      summary: 'Change a prompt template',
      params: templates.Id,
      body: templates.Body,
      answers: { 200: wire.PromptTemplate },
      errors: [409],
    },
    'DELETE /lamb/v1/prompt-templates/:id': {
      summary: 'Delete a prompt template',
      params: templates.Id,
      answers: { 204: null },
    },
    'POST /lamb/v1/prompt-templates/:id/apply': {
      summary: "Write a template's prompts into an assistant",
      params: templates.Id,
      body: templates.Application,
      answers: { 200: wire.Assistant },
      errors: [409],
    },
  },
};

export const tools: DescribedArea = {
  subject: 'Tools',
  about: 'What is installed: tools, connectors to model providers, prompt processors.',
  operations: {
    'GET /lamb/v1/completions/list': {
      summary: 'List all that an assistant can be made of',
      answers: { 200: installed.Installed },
    },
    'GET /lamb/v1/completions/tools': { summary: 'List tools', answers: { 200: installed.ToolList } },
    'GET /lamb/v1/completions/tools/:name': {
      summary: 'Read what a tool does and takes',
      answers: { 200: installed.ToolDescription },
    },
    'POST /lamb/v1/completions/tools/:name/validate': {
      summary: "Check a tool's settings",
      description: 'The settings themselves, or under `config` with how the tool is used.',
      body: optional(Validation),
      answers: { 200: installed.ConfigVerdict },
    },
  },
};
