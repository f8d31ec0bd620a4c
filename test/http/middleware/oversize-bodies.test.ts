import { expect } from 'chai';
import type { Answer } from '../../support/service.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { inDatabase } from '../support/users-fixture.js';

const manyKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key_${String(i)}`, i]));
const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) });

/** As JSON, which is written once: to write so much takes longer than to refuse it. */
const MANY_KEYS = JSON.stringify(manyKeys(200_000));
const OVERSIZE: Readonly<Record<string, string>> = {
  'too many keys': MANY_KEYS,
  'too many keys further in': `{"tools":[{"type":"weather","config":${MANY_KEYS}}]}`,
  'too many items': JSON.stringify({ tools: Array.from({ length: 200_000 }, () => 0) }),
  'too many levels': JSON.stringify(deep(150)),
  'too many bytes': JSON.stringify({ note: 'x'.repeat(400_000) }),
};

/** Of the processor, to read and refuse megabytes. On a busy machine two seconds were once too few. */
const AT_ONCE_MS = 5_000;

const sendTo = ({ service }: TestService, path: string, body: string, method = 'POST') =>
  service.request(path, { method, body, headers: { 'content-type': 'application/json' } });

describe('metadata with', () => {
  let world: TestService;
  let id: number;
  before(async () => {
    world = await sharedService();
    id = (await world.service.createAssistant({ metadata: {} })).id;
  });

  const at = (path: string, body: string, method?: string) => sendTo(world, path, body, method);
  const draft = (metadata: string) =>
    `{"messages":[{"role":"user","content":"x"}],"draft":{"name":"x","metadata":${metadata}}}`;
  const WAYS: Readonly<Record<string, (metadata: string) => Promise<Answer<unknown>>>> = {
    'a new assistant': (metadata) => at('/lamb/v1/assistants', `{"name":"x","metadata":${metadata}}`),
    'a new assistant, as text': (metadata) =>
      at('/lamb/v1/assistants', JSON.stringify({ name: 'x', metadata })),
    'a changed assistant': (metadata) =>
      at(`/lamb/v1/assistants/${String(id)}`, `{"name":"x","version":1,"metadata":${metadata}}`, 'PUT'),
    'an import': (metadata) =>
      at(
        '/lamb/v1/assistants/import',
        `{"bundle":{"format":"bellwether.assistant","version":1,"assistant":{"name":"x","metadata":${metadata}}}}`,
      ),
    'an import of what LAMB exports': (metadata) =>
      at('/lamb/v1/assistants/import', JSON.stringify({ bundle: { name: 'x', api_callback: metadata } })),
    'a preview of a draft': (metadata) => at('/lamb/v1/assistants/preview', draft(metadata)),
    'a preview of a change': (metadata) => at(`/lamb/v1/assistants/${String(id)}/preview`, draft(metadata)),
    "a tool's configuration": (metadata) => at('/lamb/v1/completions/tools/weather/validate', metadata),
  };

  for (const [what, metadata] of Object.entries(OVERSIZE)) {
    for (const [way, send] of Object.entries(WAYS)) {
      it(`${what} is refused at once in ${way}`, async () => {
        const { answer, cpuMs } = await cheapest(() => send(metadata));

        const refusal = refusalOf(answer, 422);

        expect(refusal).to.include({ code: 'too_complex' });
        expect(refusal.message).to.match(/(larger|more|deeper) than [\d,]+ (bytes|keys and values|levels)/);
        expect(cpuMs).to.be.lessThan(AT_ONCE_MS);
      });
    }
  }

  for (const what of ['too many keys', 'too many levels', 'too many bytes']) {
    it(`${what}, stored before there was a limit, neither runs nor is restored or converted`, async () => {
      const { id: old, version } = await world.service.createAssistant({ metadata: { connector: 'openai' } });
      const content = what === 'too many keys' ? JSON.stringify(manyKeys(20_000)) : OVERSIZE[what]!;
      await inDatabase(world.service, async (_stores, db) => {
        await db('assistants').where({ id: old }).update({ metadata: content });
        const kept = await db('assistant_versions')
          .where({ assistant_id: old })
          .first<{ content: string }>('content');
        const stored = JSON.stringify({ ...(JSON.parse(kept.content) as object), metadata: content });
        await db('assistant_versions').where({ assistant_id: old }).update({ content: stored });
      });
      const path = `/lamb/v1/assistants/${String(old)}`;

      for (const answer of [
        await world.service.chat(old, 'Hello?'),
        await at(`${path}/convert`, '{}'),
        await at(`${path}/versions/${String(version)}/restore`, '{}'),
      ]) {
        expect(refusalOf(answer, 422).message).to.match(/larger|more than|deeper/);
      }
      expect((await world.service.request(path)).status).to.equal(200);
    });
  }
});

describe('a body with', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  const BODIES: Readonly<Record<string, readonly [string, string, string]>> = {
    'a configuration of too many keys': [
      'PUT',
      '/lamb/v1/organizations/1/config',
      JSON.stringify({ features: manyKeys(20_000) }),
    ],
    'far too many unknown keys': ['POST', '/lamb/v1/conversations', MANY_KEYS],
    'a prompt template of far too many keys': ['POST', '/lamb/v1/prompt-templates', MANY_KEYS],
    'an activity of far too many assistants': [
      'PATCH',
      '/lamb/v1/lti/activities/1',
      JSON.stringify({ assistant_ids: Array.from({ length: 200_000 }, (_, i) => i) }),
    ],
    'far too many messages': [
      'POST',
      '/v1/chat/completions',
      JSON.stringify({
        model: 'lamb_assistant.1',
        messages: Array.from({ length: 200_000 }, () => ({ role: 'user', content: '' })),
      }),
    ],
    'a rubric of far too many keys': ['POST', '/lamb/v1/rubrics', `{"title":"x","rubric_data":${MANY_KEYS}}`],
    'a call over MCP of far too many keys': ['POST', '/lamb/v1/mcp', MANY_KEYS],
  };
  for (const [what, [method, path, body]] of Object.entries(BODIES)) {
    it(`${what} is refused at once`, async () => {
      const { answer, cpuMs } = await cheapest(() => sendTo(world, path, body, method));

      const refusal = refusalOf(answer, path.startsWith('/v1/') ? 400 : 422);

      expect(refusal.message).to.match(/holds more than [\d,]+ keys and values/);
      expect(cpuMs).to.be.lessThan(AT_ONCE_MS);
    });
  }
});

/**
 * With what the service does, which runs in this process. Others may be at something in it at the same time: of three that
 * cost too much, the cheapest is told.
 */
async function cheapest<T>(send: () => Promise<T>): Promise<{ readonly answer: T; readonly cpuMs: number }> {
  for (let least = Infinity, tries = 1; ; tries++) {
    const before = process.cpuUsage();
    const answer = await send();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
    if (least < 2_000 || tries === 3) return { answer, cpuMs: least };
  }
}
