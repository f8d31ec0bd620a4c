import * as wire from '../contract/openai/completions.js';
import { AnsweredCall, OpenCall } from '../contract/chat.js';
import { pageOf } from '../contract/common.js';
import * as responses from '../contract/openai/responses.js';
import { CancelledRun, FollowUps } from '../contract/runs.js';
import type { DescribedArea, Operation } from '../openapi/operation.js';
import { events } from '../openapi/operation.js';
import { DescribedBody } from '../responses/request.js';
import { Answer } from './approvals.js';
import { ResumeHeader, StatusHeader } from './answer.js';
import { AssistantQuery } from './completions.js';
import { EmbeddingsBody } from './embeddings.js';
import { ChatBody, ChatBodyWithModel } from './request.js';
import { EventsQuery, LastEventId } from './run-events.js';

const sends = {
  'X-Run-Id': 'The run, as it is found under /lamb/v1/runs.',
  'X-Ignored-Parameters': 'What was asked for and does nothing here.',
};

/** Of every route that answers as a chat. */
export const chat: Omit<Operation, 'summary' | 'body'> = {
  headers: StatusHeader.extend(ResumeHeader.shape).partial(),
  answers: { 200: [wire.Completion, events(wire.CompletionFrame)] },
  errors: [402, 404, 409, 499, 502, 504],
  sends: { ...sends, 'X-Conversation-Id': 'The conversation it is kept in.' },
};

/** What OpenAI's clients speak. */
export const openAI: DescribedArea = {
  subject: 'Chat',
  about: "OpenAI's protocols: any client of theirs can be pointed here.",
  operations: {
    'POST /v1/chat/completions': {
      ...chat,
      summary: 'Ask an assistant',
      description:
        'As a stream when `stream` is true. What a client asks for is honoured, refused, or named as ignored.',
      body: ChatBodyWithModel,
    },
    'POST /lamb/v1/completions': {
      ...chat,
      summary: 'Ask the assistant that the address names',
      query: AssistantQuery,
      body: ChatBody,
    },
    'POST /v1/responses': {
      summary: 'Ask an assistant, by the Responses API',
      body: DescribedBody,
      answers: { 200: [responses.ResponseObject, events(responses.ResponseEvent)] },
      errors: [402, 404, 409, 499, 502, 504],
      sends,
    },
    'GET /v1/responses/:id': {
      summary: 'Read one of your responses',
      answers: { 200: responses.ResponseObject },
    },
    'DELETE /v1/responses/:id': {
      summary: 'Delete one of your responses, and what came after it',
      answers: { 200: responses.DeletedResponse },
    },
    'POST /v1/embeddings': {
      summary: "Make vectors with your organisation's model",
      body: EmbeddingsBody,
      answers: { 200: wire.Embeddings },
      errors: [404, 502, 504],
      sends: { 'X-Ignored-Parameters': sends['X-Ignored-Parameters'] },
    },
    'GET /v1/models': { summary: 'List the assistants you may ask', answers: { 200: wire.ModelList } },
    'GET /v1/models/*model': { summary: 'Read one of them', answers: { 200: wire.Model } },
    'GET /lamb/v1/runs/:id/events': {
      summary: 'Read what a run tells, again or further',
      description:
        'Of a run that you asked for with `X-Resume: on`: its frames after the one that you have, live to its end, until ten ' +
        'minutes after it. `after` counts before `Last-Event-ID`.',
      query: EventsQuery,
      headers: LastEventId,
      answers: { 200: events(wire.CompletionFrame) },
      errors: [404, 410],
      sends: { 'X-Run-Id': sends['X-Run-Id'] },
    },
    'POST /lamb/v1/runs/:id/cancel': {
      summary: 'Stop a run that goes on without you',
      description: 'Of a run that is over it changes nothing, and tells what became of it.',
      answers: { 200: CancelledRun },
      errors: [404],
    },
    'POST /lamb/v1/runs/:id/follow-ups': {
      summary: 'Have a model suggest what to ask next',
      description:
        'After an answer that you got and that is kept in a conversation, of an assistant with `follow_ups` in its metadata.',
      answers: { 200: FollowUps },
      errors: [402, 404, 409, 422, 502, 504],
    },
    'GET /lamb/v1/runs/:id/approvals': {
      summary: 'List calls of a run that wait for your yes or no',
      answers: { 200: pageOf(OpenCall) },
    },
    'POST /lamb/v1/runs/:id/approvals': {
      summary: 'Approve or refuse a call',
      body: Answer,
      answers: { 200: AnsweredCall },
    },
  },
};
