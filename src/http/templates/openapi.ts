import * as wire from '../contract/gallery/templates.js';
import type { DescribedArea } from '../openapi/operation.js';
import { Wish } from './drafts.js';
import * as templates from './templates.js';

export const beginnings: DescribedArea = {
  subject: 'Templates',
  about: 'Complete assistants to begin with, and drafts by a model. None of it stores an assistant.',
  operations: {
    'GET /lamb/v1/templates': {
      summary: 'List templates',
      query: templates.Language,
      answers: { 200: wire.TemplateList },
    },
    'POST /lamb/v1/templates': {
      summary: "Keep an assistant as a template of one's organisation",
      description: 'Without secrets, collections, files, people and pictures; a rubric goes along as a copy.',
      body: templates.NewTemplate,
      answers: { 201: wire.TemplateFace },
      errors: [404, 409],
    },
    'GET /lamb/v1/templates/:id': {
      summary: 'Read a template, ready to be saved as an assistant',
      params: templates.TemplateId,
      query: templates.Language,
      answers: { 200: wire.Template },
    },
    'PATCH /lamb/v1/templates/:id': {
      summary: 'Share a template with other organisations, or no longer',
      params: templates.TemplateId,
      body: templates.Sharing,
      answers: { 200: wire.TemplateFace },
    },
    'DELETE /lamb/v1/templates/:id': {
      summary: 'Delete a template',
      params: templates.TemplateId,
      answers: { 204: null },
    },
    'POST /lamb/v1/assistants/draft': {
      summary: 'Have a model draft an assistant',
      body: Wish,
      answers: { 200: wire.DraftedAssistant },
      errors: [502, 504],
    },
    'POST /lamb/v1/rubrics/draft': {
      summary: 'Have a model draft a rubric',
      body: Wish,
      answers: { 200: wire.RubricDraft },
      errors: [502, 504],
    },
  },
};
