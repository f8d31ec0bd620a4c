import { type Behaviour, modelName } from './behaviour.js';
import { CONTENDER_CORE, type Running, startNode } from './processes.js';
import { type ServiceOptions, startService } from './service.js';

export type ContenderOptions = Pick<ServiceOptions, 'node' | 'nodeFlags'>;

/** Everybody who stands between a client and the model here. */
export interface Contender {
  readonly name: string;
  readonly title: string;
  /** Whether it runs tools, or only passes on. */
  readonly runsTools: boolean;
  /** Nobody is measured by it; for comparison only. */
  readonly isExtra?: boolean;
  start(modelUrl: string, options?: ContenderOptions): Promise<Stand>;
}

/** A contender that is running. */
export interface Stand extends Running {
  readonly key: string;
  /** What to name in a request for a model that behaves so. */
  modelFor(behaviour: Behaviour): Promise<string>;
}

export const FLOOR = 'passthrough';
/** The least that the rules allow. */
export const RULES = 'rules-alone';
export const OURS = 'bellwether';
export const CREATE_AGENT = 'createAgent';
export const AI_SDK = 'ai-sdk';

/** What stands for a contender on the other Node. */
export const onOther = (name: string) => `${name}, other Node`;

const program =
  (file: string) =>
  async (modelUrl: string, { nodeFlags = [], ...options }: ContenderOptions = {}) => {
    const running = await startNode([...nodeFlags, `bench/contenders/${file}`, modelUrl], {
      ...options,
      core: CONTENDER_CORE,
    });
    return {
      ...running,
      key: 'none',
      modelFor: (behaviour: Behaviour) => Promise.resolve(modelName(behaviour)),
    };
  };

export const CONTENDERS: readonly Contender[] = [
  { name: FLOOR, title: 'raw passthrough', runsTools: false, start: program('passthrough.mjs') },
  { name: RULES, title: 'the rules alone, by hand', runsTools: true, start: program('rules-alone.mjs') },
  {
    name: OURS,
    title: 'Bellwether, everything on',
    runsTools: true,
    async start(modelUrl, options) {
      const service = await startService(modelUrl, options);
      return { ...service, modelFor: service.assistantFor };
    },
  },
  {
    name: 'express-relay',
    title: 'Express + fetch + event parser',
    runsTools: false,
    isExtra: true,
    start: program('express-relay.mjs'),
  },
  { name: 'agents-sdk', title: 'OpenAI Agents SDK', runsTools: true, start: program('agents-sdk.mjs') },
  { name: AI_SDK, title: 'Vercel AI SDK', runsTools: true, start: program('ai-sdk.mjs') },
  { name: CREATE_AGENT, title: 'LangChain createAgent', runsTools: true, start: program('create-agent.mjs') },
];
