import * as wire from '../contract/people/links.js';
import { Id } from '../assistants/lookup.js';
import { PageQuery } from '../middleware/query.js';
import { bytes, type DescribedArea, optional } from '../openapi/operation.js';
import { NewLink } from './links.js';
import { Opened } from './visits.js';

export const publicLinks: DescribedArea = {
  subject: 'Public links',
  about: 'Giving an assistant to people without an account, where the organisation allows it.',
  operations: {
    'GET /lamb/v1/assistants/:id/audience': {
      summary: 'Where an assistant is used, and from where it can be opened',
      params: Id,
      answers: { 200: wire.Audience },
    },
    'GET /lamb/v1/assistants/:id/links': {
      summary: 'List the links to an assistant',
      params: Id,
      query: PageQuery,
      answers: { 200: wire.Links },
    },
    'POST /lamb/v1/assistants/:id/links': {
      summary: 'Make a link to an assistant',
      description:
        'For whoever may edit the assistant. 403 `public_links_off` where the organisation allows none. Its visitors spend `budget_id` as well, if it is given.',
      params: Id,
      body: optional(NewLink),
      answers: { 201: wire.Link },
      errors: [403, 409],
    },
    'DELETE /lamb/v1/links/:id': {
      summary: 'Revoke a link, which ends every visit at once',
      params: Id,
      answers: { 204: null },
    },
    'GET /l/:token': {
      summary: 'The page of a link',
      access: 'everybody',
      description: 'With 404 where the link leads nowhere, which the page then says.',
      answers: { 200: bytes('text/html'), 404: bytes('text/html') },
    },
    'POST /l/visits': {
      summary: 'Begin a visit by a link',
      description: 'A link that is unknown, revoked, expired or switched off is 404 `link_over`.',
      access: 'everybody',
      body: Opened,
      answers: { 201: wire.BegunVisit },
      errors: [404, 429],
    },
    'GET /lamb/v1/links/visit': {
      summary: "What a visitor's link leads to",
      answers: { 200: wire.LinkVisit },
      errors: [403, 404],
    },
    'DELETE /lamb/v1/links/visit': {
      summary: 'End the visit and forget what was said in it',
      answers: { 204: null },
      errors: [403],
    },
  },
};
