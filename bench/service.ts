import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { type Behaviour, modelName, SLOW_TOOL_MS } from './behaviour.js';
import { CONTENDER_CORE, PROJECT_ROOT, type Running, startNode, type StartOptions } from './processes.js';

/** Our service as a school runs it: a database, an administrator, and somebody whom assistants are shared with. */

const ADMIN_KEY = 'bw_bench_0123456789abcdef0123456789abcdef';
const LEARNER = 'learner@example.com';

export interface ServiceOptions extends StartOptions {
  /** A folder to use and to keep; else one is made, and removed at the end. */
  readonly dataDir?: string;
  /** The built checkout that is started; this one unless given. */
  readonly checkout?: string;
  /** Flags for Node itself. */
  readonly nodeFlags?: readonly string[];
}

export interface BenchService extends Running {
  /** The learner's. */
  readonly key: string;
  /** Their address. */
  readonly learner: string;
  /** The administrator's. */
  readonly adminKey: string;
  /** An assistant whose model behaves so, as the learner names it; made once. */
  assistantFor(behaviour: Behaviour): Promise<string>;
}

export async function startService(modelUrl: string, options: ServiceOptions = {}): Promise<BenchService> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'bellwether-bench-')));
  const program = join(options.checkout ?? PROJECT_ROOT, 'dist/src/main.js');
  const running = await startNode([...(options.nodeFlags ?? []), program], {
    ...(options.node === undefined ? {} : { node: options.node }),
    core: options.core ?? CONTENDER_CORE,
    env: { ...environment(modelUrl, dataDir), ...options.env },
  });
  const assistants = new Map<string, Promise<string>>();
  return {
    ...running,
    adminKey: ADMIN_KEY,
    learner: LEARNER,
    key: await learnersKey(running.url),
    assistantFor(behaviour) {
      const model = modelName(behaviour);
      const made = assistants.get(model) ?? makeAssistant(running.url, behaviour);
      assistants.set(model, made);
      return made;
    },
    async stop() {
      await running.stop();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Nothing is switched off: requests are limited too, at a rate that is not reached. */
function environment(modelUrl: string, dataDir: string): Record<string, string> {
  return {
    PORT: '0',
    DATA_DIR: dataDir,
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    ADMIN_API_KEY: ADMIN_KEY,
    TOOLS_DIR: join(PROJECT_ROOT, 'bench/contenders/tools'),
    RATE_LIMIT: '1000000',
    LOG_LEVEL: 'info',
    DEMO_DATA: 'false',
    // As `npm start` has it; Node 20 knows nothing of it.
    NODE_COMPILE_CACHE: join(PROJECT_ROOT, 'dist/.compile-cache'),
  };
}

async function learnersKey(url: string): Promise<string> {
  const password = 'correct horse battery staple 42';
  const { status } = await post(url, '/lamb/v1/users', { email: LEARNER, name: 'Learner', password });
  if (status !== 201 && status !== 409) throw new Error(`The learner was not made: ${String(status)}`);
  const { json } = await post(url, '/lamb/v1/api-keys', { name: 'Bench', user_email: LEARNER });
  return (json as { readonly key: string }).key;
}

async function makeAssistant(url: string, behaviour: Behaviour): Promise<string> {
  const { tool, tools } = behaviour;
  const { status, json } = await post(url, '/lamb/v1/assistants', {
    name: modelName(behaviour),
    system_prompt: 'You are a helpful assistant.',
    metadata: {
      connector: 'openai',
      llm: modelName(behaviour),
      tools: Array.from({ length: tools }, (_, i) => ({
        type: 'look_up',
        enabled: true,
        mode: 'function',
        config: {
          function_name: i === 0 ? tool : `look_up_${String(i)}`,
          ms: tool === 'look_up_slowly' ? SLOW_TOOL_MS : 0,
        },
      })),
    },
  });
  if (status !== 201) throw new Error(`The assistant was not made: ${JSON.stringify(json)}`);
  const { id } = json as { readonly id: number };
  await post(url, `/lamb/v1/assistants/${String(id)}/shares`, { email: LEARNER });
  return `lamb_assistant.${String(id)}`;
}

/** As the administrator. */
export async function post(url: string, path: string, body: object) {
  const { statusCode, body: answer } = await request(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: statusCode, json: await answer.json() };
}
