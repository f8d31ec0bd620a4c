import { z } from 'zod';
import * as wire from '../contract/knowledge.js';
import { pageOf } from '../contract/common.js';
import { PageQuery } from '../middleware/query.js';
import { bytes, type DescribedArea, optional } from '../openapi/operation.js';
import * as collections from './collections.js';
import * as body from './document-body.js';
import { Position } from './documents.js';
import * as decisions from './passage-decisions.js';
import * as questions from './questions.js';
import * as sources from './source-body.js';
import { NoFields } from './uploads.js';

const file = bytes('application/octet-stream', 'application/pdf');

export const knowledge: DescribedArea = {
  subject: 'Knowledge bases',
  about: 'Collections, their documents, and what a question finds in them.',
  operations: {
    'GET /lamb/v1/collections': {
      summary: 'List collections',
      query: collections.ListQuery,
      answers: { 200: pageOf(wire.Collection) },
    },
    'POST /lamb/v1/collections': {
      summary: 'Make a collection',
      body: collections.NewCollection,
      answers: { 201: wire.Collection },
      errors: [409],
    },
    'GET /lamb/v1/collections/:id': { summary: 'Read a collection', answers: { 200: wire.Collection } },
    'PUT /lamb/v1/collections/:id': {
      summary: 'Change a collection',
      body: collections.CollectionChange,
      answers: { 200: wire.Collection },
    },
    'DELETE /lamb/v1/collections/:id': {
      summary: 'Delete a collection with all that is in it',
      answers: { 204: null },
    },
    'POST /lamb/v1/collections/:id/query': {
      summary: 'What a question finds',
      body: body.Question,
      answers: { 200: wire.Findings },
      errors: [502, 504],
    },
    'GET /lamb/v1/collections/:id/documents': {
      summary: 'List documents',
      query: body.DocumentList,
      answers: { 200: wire.DocumentPage },
      errors: [409],
    },
    'POST /lamb/v1/collections/:id/documents': {
      summary: 'Add documents: files, archives of them, or a web page',
      body: [body.FromAddress, { mediaType: 'multipart/form-data', files: 'several', fields: NoFields }],
      answers: { 202: wire.AddedDocuments },
      errors: [409],
    },
    'GET /lamb/v1/collections/:id/documents/:doc': {
      summary: 'Read how far a document is',
      answers: { 200: wire.KnowledgeDocument },
      errors: [409],
    },
    'PATCH /lamb/v1/collections/:id/documents/:doc': {
      summary: 'Switch a document off or on, or tag it',
      body: body.DocumentChange,
      answers: { 200: wire.KnowledgeDocument },
      errors: [409],
    },
    'DELETE /lamb/v1/collections/:id/documents/:doc': {
      summary: 'Delete a document',
      answers: { 204: null },
      errors: [409],
    },
    'POST /lamb/v1/collections/:id/documents/:doc/reingest': {
      summary: 'Read a document again',
      answers: { 202: wire.KnowledgeDocument },
      errors: [409],
    },
    'GET /lamb/v1/collections/:id/documents/:doc/file': {
      summary: 'Fetch the document itself',
      answers: { 200: file },
      errors: [409],
    },
    'GET /lamb/v1/collections/:id/tags': {
      summary: 'List tags',
      answers: { 200: z.object({ data: z.array(wire.Tag) }) },
    },
    'POST /lamb/v1/collections/:id/tags': {
      summary: 'Tag several documents',
      body: body.TagChange,
      answers: { 200: z.object({ changed: z.number() }) },
      errors: [409],
    },
    'GET /lamb/v1/collections/:id/documents/:doc/passages': {
      summary: 'List the passages of a document',
      query: PageQuery,
      answers: { 200: pageOf(wire.Passage) },
      errors: [409],
    },
    'GET /lamb/v1/collections/:id/documents/:doc/passages/:n': {
      summary: 'Read a passage in its section',
      params: Position,
      answers: { 200: wire.PassageInSection },
      errors: [409],
    },
    'PATCH /lamb/v1/collections/:id/documents/:doc/passages/:n': {
      summary: 'Correct a passage, switch it off, or let it come first',
      params: Position,
      body: decisions.PassageChange,
      answers: { 200: wire.Passage },
      errors: [409],
    },
    'GET /lamb/v1/collections/:id/documents/:doc/stale-decisions': {
      summary: 'List what was decided about passages that are gone',
      answers: { 200: z.object({ data: z.array(wire.StaleDecision) }) },
      errors: [409],
    },
    'DELETE /lamb/v1/collections/:id/documents/:doc/stale-decisions/:decision': {
      summary: 'Forget such a decision',
      params: decisions.Decision,
      answers: { 204: null },
      errors: [409],
    },
    'GET /lamb/v1/collections/:id/questions': {
      summary: 'List the questions a collection is tested by',
      answers: { 200: wire.TestQuestions },
      errors: [409],
    },
    'POST /lamb/v1/collections/:id/questions': {
      summary: 'Add a test question',
      body: questions.Content,
      answers: { 201: wire.TestQuestion },
      errors: [409],
    },
    'PUT /lamb/v1/collections/:id/questions/:question': {
      summary: 'Change a test question',
      body: questions.Content,
      answers: { 200: wire.TestQuestion },
      errors: [409],
    },
    'DELETE /lamb/v1/collections/:id/questions/:question': {
      summary: 'Delete a test question',
      answers: { 204: null },
      errors: [409],
    },
    'POST /lamb/v1/collections/:id/questions/run': {
      summary: 'Ask all test questions now',
      body: optional(questions.Run),
      answers: { 200: wire.TestRun },
      errors: [409, 502, 504],
    },
    'GET /lamb/v1/collections/:id/questions/runs': {
      summary: 'List how the test questions went',
      query: PageQuery,
      answers: { 200: z.object({ data: z.array(wire.TestRun) }) },
      errors: [409],
    },
    'GET /lamb/v1/collections/:id/vain-questions': {
      summary: 'List questions for which nothing was found',
      query: PageQuery,
      answers: { 200: pageOf(wire.VainQuestion) },
      errors: [409],
    },
    'DELETE /lamb/v1/collections/:id/vain-questions/:question': {
      summary: 'Take such a question off the list',
      params: questions.VainId,
      answers: { 204: null },
      errors: [409],
    },
    'GET /lamb/v1/collections/:id/sources': {
      summary: 'List where documents come from',
      answers: { 200: wire.SourceList },
      errors: [409],
    },
    'POST /lamb/v1/collections/:id/sources': {
      summary: 'Add a source',
      body: sources.NewSource,
      answers: { 201: wire.Source },
      errors: [409],
    },
    'GET /lamb/v1/collections/:id/sources/:source': {
      summary: 'Read a source',
      answers: { 200: wire.Source },
      errors: [409],
    },
    'PUT /lamb/v1/collections/:id/sources/:source': {
      summary: 'Change a source',
      body: sources.SourceChange,
      answers: { 200: wire.Source },
      errors: [409],
    },
    'DELETE /lamb/v1/collections/:id/sources/:source': {
      summary: 'Delete a source',
      query: sources.Deletion,
      answers: { 204: null },
      errors: [409],
    },
    'POST /lamb/v1/collections/:id/sources/:source/run': {
      summary: 'Bring a source in step now',
      answers: { 202: wire.Source },
      errors: [409],
    },
    'GET /lamb/v1/collections/:id/sources/:source/runs': {
      summary: 'List how a source was brought in step',
      query: sources.RunList,
      answers: { 200: pageOf(wire.SourceRun) },
      errors: [409],
    },
    'GET /sources/:token': {
      access: 'everybody',
      summary: 'The file or rubric that an answer comes from',
      answers: { 200: bytes('text/plain') },
    },
    'GET /passages/:token': {
      access: 'everybody',
      summary: 'The passage that an answer comes from',
      answers: { 200: bytes('text/html') },
      refusesInPages: true,
    },
    'GET /passages/:token/file': {
      access: 'everybody',
      summary: 'The document it is from',
      answers: { 200: file },
      refusesInPages: true,
    },
  },
};
