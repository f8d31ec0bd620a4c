import { z } from 'zod';
import { ScenarioContent } from '../../core/scenarios/scenario.js';
import { Id } from '../assistants/lookup.js';
import { ScenarioSets } from '../contract/scenarios/scenario-sets.js';
import * as wire from '../contract/scenarios/scenarios.js';
import * as suites from '../contract/scenarios/suite-runs.js';
import { bytes, type DescribedArea, events, optional } from '../openapi/operation.js';
import { EstimateQuery } from './estimate.js';
import { SetParams, SetsQuery, SetWish } from './scenario-sets.js';
import { AddingQuery, ScenarioList } from './scenarios.js';
import { SuiteWish } from './suite-runs.js';

export const scenarios: DescribedArea = {
  subject: 'Scenarios',
  about:
    'Conversations that an assistant is tried with, and what has to come of them before it reaches people.',
  operations: {
    'GET /lamb/v1/assistants/:id/scenarios': {
      summary: 'List the scenarios of an assistant',
      description: 'With `Accept: application/yaml` as YAML that can be sent back.',
      params: Id,
      answers: { 200: [wire.Scenarios, bytes('application/yaml')] },
    },
    'POST /lamb/v1/assistants/:id/scenarios': {
      summary: 'Add one scenario, or a list of them',
      description:
        'Of a list all are added or none. `Content-Type: application/yaml` takes such a list in YAML.',
      params: Id,
      query: AddingQuery,
      body: z.union([ScenarioContent, ScenarioList]),
      answers: { 201: z.union([wire.Scenario, wire.Scenarios]) },
      errors: [409],
    },
    'GET /lamb/v1/scenario-sets': {
      summary: 'List ready-made scenarios',
      query: SetsQuery,
      answers: { 200: ScenarioSets },
    },
    'POST /lamb/v1/assistants/:id/scenario-sets/:set': {
      summary: 'Add ready-made scenarios to an assistant',
      description:
        'As ordinary scenarios, all or none. Those that it has already are left out, and those that do not fit it.',
      params: SetParams,
      body: optional(SetWish),
      answers: { 201: wire.Scenarios },
      errors: [409],
    },
    'GET /lamb/v1/scenarios/:id': {
      summary: 'Read a scenario',
      params: Id,
      answers: { 200: wire.Scenario },
    },
    'PUT /lamb/v1/scenarios/:id': {
      summary: 'Change a scenario',
      params: Id,
      body: ScenarioContent,
      answers: { 200: wire.Scenario },
    },
    'DELETE /lamb/v1/scenarios/:id': { summary: 'Delete a scenario', params: Id, answers: { 204: null } },
    'GET /lamb/v1/assistants/:id/suite-runs': {
      summary: 'List the runs of an assistant’s scenarios',
      description: 'The newest 50, without what was asked and answered.',
      params: Id,
      answers: { 200: suites.SuiteRuns },
    },
    'GET /lamb/v1/assistants/:id/suite-runs/estimate': {
      summary: 'About what a run of all scenarios would cost',
      params: Id,
      query: EstimateQuery,
      answers: { 200: suites.SuiteEstimate },
    },
    'POST /lamb/v1/assistants/:id/suite-runs': {
      summary: 'Try an assistant with its scenarios',
      params: Id,
      body: optional(SuiteWish),
      answers: { 202: suites.BegunSuiteRun },
      errors: [429],
    },
    'GET /lamb/v1/suite-runs/:id': { summary: 'What came of it', answers: { 200: suites.SuiteRun } },
    'GET /lamb/v1/suite-runs/:id/events': {
      summary: 'Follow how far it has come',
      answers: { 200: events(suites.SuiteRunEvent) },
    },
    'GET /lamb/v1/suite-runs/:id/junit': {
      summary: 'What came of it, for build servers',
      answers: { 200: bytes('application/xml') },
    },
    'POST /lamb/v1/suite-runs/:id/cancel': { summary: 'Stop it', answers: { 200: suites.SuiteRun } },
  },
};
