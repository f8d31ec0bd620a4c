import { pageOf } from '../contract/common.js';
import * as wire from '../contract/people/insight.js';
import { Id } from '../assistants/lookup.js';
import { PageQuery } from '../middleware/query.js';
import type { DescribedArea } from '../openapi/operation.js';
import { AnnotationPatch, NewAnnotation, Place } from './annotations.js';
import { InsightQuery } from './insight.js';

export const insight: DescribedArea = {
  subject: 'Insight',
  about: 'What can be learnt from how an assistant is used, and answers as its teacher wants them.',
  operations: {
    'GET /lamb/v1/assistants/:id/insight': {
      summary: 'Feedback, frequent questions and answers without a source, without names',
      params: Id,
      query: InsightQuery,
      answers: { 200: wire.Insight },
    },
    'GET /lamb/v1/assistants/:id/annotations': {
      summary: 'List the corrected answers of an assistant',
      params: Id,
      query: PageQuery,
      answers: { 200: pageOf(wire.Annotation) },
    },
    'POST /lamb/v1/assistants/:id/annotations': {
      summary: 'Correct an answer',
      description: 'Once it is active, the model is shown it as an example when a question is like it.',
      params: Id,
      body: NewAnnotation,
      answers: { 201: wire.Annotation },
      errors: [409],
    },
    'PATCH /lamb/v1/assistants/:id/annotations/:annotation': {
      summary: 'Change a corrected answer, or take it into use',
      params: Place,
      body: AnnotationPatch,
      answers: { 200: wire.Annotation },
    },
    'DELETE /lamb/v1/assistants/:id/annotations/:annotation': {
      summary: 'Delete a corrected answer',
      params: Place,
      answers: { 204: null },
    },
  },
};
