import { createCircuits } from '../../src/core/runs/circuit.js';
import { readLimits } from '../../src/core/organizations/limits.js';
import type { AccessPolicy } from '../../src/core/access/access.js';
import type { Caller } from '../../src/core/access/caller.js';
import { type Assistant, BLANK_CONTENT, type ToolEntry } from '../../src/core/assistants/assistant.js';
import type { RunContext } from '../../src/core/runs/run-context.js';

interface Wishes {
  readonly toolResultMaxChars?: number;
  readonly mayUse?: AccessPolicy['mayUse'];
  readonly audit?: (denial: object) => void;
}

export const anEntry = (entry: Partial<ToolEntry>): ToolEntry => ({
  type: 'probe',
  enabled: true,
  mode: 'function',
  placeholder: undefined,
  name: undefined,
  description: undefined,
  onError: 'omit',
  approval: undefined,
  config: {},
  ...entry,
});

const assistant: Assistant = {
  id: 1,
  organizationId: 1,
  ownerId: 1,
  owner: 'owner@example.test',
  ...BLANK_CONTENT,
  name: 'Tested',
  published: false,
  publishScope: 'organization',
  enabled: true,
  version: 1,
  examples: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  setup: {
    type: 'orchestrator',
    processor: 'tool_augment',
    connector: undefined,
    model: undefined,
    vision: false,
    verbose: false,
    tools: [],
    problems: [],
    listed: [],
    oddities: [],
  },
};

const caller: Caller = {
  userId: 1,
  email: 'owner@example.test',
  verifiedEmail: 'owner@example.test',
  name: 'Owner',
  organizationId: 1,
  role: 'creator',
  via: 'session',
  credentialId: 'session:1',
};

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const unused = (what: string) => () => Promise.reject(new Error(`${what} is not part of this test.`));

/** A run's context in which everything is allowed and nothing else exists. */
export function aContext({ toolResultMaxChars = 100_000, mayUse, audit }: Wishes = {}): RunContext {
  const facts = {
    caller,
    assistant,
    settings: {
      providers: {},
      secrets: new Map(),
      prices: { currency: 'USD', models: new Map() },
      limits: readLimits({}),
      features: { publicLinks: false, embedOrigins: [], templateCatalogue: 'off' as const },
      weather: { forecastUrl: 'http://weather.invalid', geocodingUrl: 'http://weather.invalid' },
    },
    signal: new AbortController().signal,
    log: silent,
  };
  return {
    ...facts,
    runId: 'run_test',
    toolServices: () => ({
      ...facts,
      fetch: unused('the network'),
      secrets: { fill: (text) => text, hide: (text) => text },
      mcp: { tools: unused('an MCP server'), call: unused('an MCP server') },
      files: { read: unused('a file'), readBytes: unused('a file'), change: unused('a file') },
      rubrics: { get: () => Promise.resolve(undefined) },
      linkTo: ({ kind, id }) => `https://here.test/sources/${kind}/${id}`,
      knowledge: { describe: () => Promise.resolve(undefined), search: unused('a knowledge base') },
      moodle: undefined,
      describeAssistant: () => Promise.resolve(undefined),
    }),
    chat: [{ role: 'user', content: 'Hello?' }],
    sampling: {},
    limits: {
      toolTimeoutMs: 5000,
      runTimeoutMs: 10_000,
      modelSilenceMs: 5000,
      toolConcurrency: 8,
      toolResultMaxChars,
      approvalTimeoutMs: 5000,
    },
    policy: {
      visibleTo: () => ({ everything: true }),
      mayChat: () => Promise.resolve({ allowed: true, rule: 'owner' }),
      mayRun: () => Promise.resolve({ allowed: true, rule: 'owner' }),
      mayEdit: () => ({ allowed: true, rule: 'owner' }),
      maySeeRubric: () => ({ allowed: true, rule: 'owner' }),
      mayEditRubric: () => ({ allowed: true, rule: 'owner' }),
      maySeeCollection: () => ({ allowed: true, rule: 'owner' }),
      mayEditCollection: () => ({ allowed: true, rule: 'owner' }),
      mayUse: mayUse ?? (() => Promise.resolve({ allowed: true, rule: 'owner' })),
    },
    models: { post: unused('a model') },
    pictures: { draw: unused('a picture') },
    deadline: { nearlySpent: () => false },
    budget: undefined,
    circuits: createCircuits(0),
    trace: { step: () => undefined, ended: () => undefined, brought: () => undefined },
    kept: new Map(),
    currentAssistant: () => Promise.resolve(assistant),
    startChild: unused('a child run'),
    askModel: unused('a question to a model'),
    askSmallModel: unused('a question to the small model'),
    audit: audit ?? (() => undefined),
  };
}
