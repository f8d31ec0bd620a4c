import type { AssistantParts, ScriptedAssistant, TestService } from './test-service.js';
import type { Fake } from './fakes/fakes.js';
import { FAKE_HTTP } from './fakes/http.js';
import { FAKE_MCP } from './fakes/mcp.js';
import { startFake } from './fakes/fakes.js';
import type { Step } from './fakes/model-script.js';

/** A world whose service may call some servers of this machine, and not others. */
export interface OutboundWorld extends TestService {
  readonly http: Fake<unknown>;
  /** Another origin that may be called as well. */
  readonly other: Fake<unknown>;
  /** Not on the list. */
  readonly forbidden: Fake<unknown>;
  readonly mcp: Fake<McpRequest>;
  /** What the model was told its calls brought. */
  told(assistant: Pick<ScriptedAssistant, 'model'>): Promise<string[]>;
  /** An assistant that makes these steps, asked once; what its calls brought. */
  bring(steps: readonly Step[], tool: object, parts?: AssistantParts): Promise<string[]>;
}

/** A JSON-RPC message, as far as tests look into it. */
export interface McpRequest {
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: unknown; readonly capabilities?: object };
  readonly error?: { readonly code: number };
}

type CreateWorld = (env: Readonly<Record<string, string>>) => Promise<TestService>;

export async function createOutboundWorld(createTestService: CreateWorld): Promise<OutboundWorld> {
  const [http, other, forbidden, mcp] = await Promise.all([
    startFake<unknown>(FAKE_HTTP),
    startFake<unknown>(FAKE_HTTP),
    startFake<unknown>(FAKE_HTTP),
    startFake<McpRequest>(FAKE_MCP),
  ]);
  const world = await createTestService({
    // Short enough to wait for what never ends.
    TOOL_TIMEOUT_MS: '6000',
    // Little enough to fetch more of.
    DOCUMENT_LIMIT: '8mb',
    OUTBOUND_ALLOW: [http, other, mcp].map(({ url }) => new URL(url).host).join(','),
  });
  const told: OutboundWorld['told'] = async ({ model }) => {
    const last = (await world.model.ledger(model)).at(-1);
    return (last?.body.messages ?? [])
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => String(content));
  };
  return {
    ...world,
    ...{ http, other, forbidden, mcp, told },
    async bring(steps, tool, parts = {}) {
      const assistant = await world.assistant(steps, { tools: [tool], ...parts });
      const { status, text } = await world.service.chat(assistant.id, 'Please.');
      if (status !== 200) throw new Error(`The chat failed: ${text}`);
      return told(assistant);
    },
  };
}

export async function endOutboundWorld({ http, other, forbidden, mcp }: OutboundWorld): Promise<void> {
  await Promise.all([http, other, forbidden, mcp].map((fake) => fake.stop()));
}

/** An entry of the tool `http` that the owner has approved. */
export const httpTool = (config: object, entry: object = {}) => ({
  ...{ type: 'http', enabled: true, mode: 'function', approval: 'always-allowed' },
  ...entry,
  config,
});

export const mcpTool = (config: object, entry: object = {}) => ({
  ...{ type: 'mcp', enabled: true, mode: 'function', approval: 'always-allowed' },
  ...entry,
  config,
});
