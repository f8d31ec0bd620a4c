import { expect } from 'chai';
import type { Answer } from '../../support/service.js';
import { createTestService, endWorld, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { inDatabase } from '../support/users-fixture.js';

const manyKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key_${String(i)}`, i]));
const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) });

const OVERSIZE: Readonly<Record<string, object>> = {
  'too many keys': manyKeys(200_000),
  'too many keys further in': { tools: [{ type: 'weather', config: manyKeys(200_000) }] },
  'too many items': { tools: Array.from({ length: 200_000 }, () => 0) },
  'too many levels': deep(150),
  'too many bytes': { note: 'x'.repeat(400_000) },
};

describe('metadata with', () => {
  let world: TestService;
  let id: number;
  before(async () => {
    world = await createTestService();
    id = (await world.service.createAssistant({ metadata: {} })).id;
  });
  after(() => endWorld(world));

  const at = (path: string, body: object, method = 'POST') => world.service.request(path, { method, body });
  const messages = [{ role: 'user', content: 'x' }];
  const WAYS: Readonly<Record<string, (metadata: object) => Promise<Answer<unknown>>>> = {
    'a new assistant': (metadata) => at('/lamb/v1/assistants', { name: 'x', metadata }),
    'a new assistant, as text': (metadata) =>
      at('/lamb/v1/assistants', { name: 'x', metadata: JSON.stringify(metadata) }),
    'a changed assistant': (metadata) =>
      at(`/lamb/v1/assistants/${String(id)}`, { name: 'x', version: 1, metadata }, 'PUT'),
    'an import': (metadata) =>
      at('/lamb/v1/assistants/import', {
        bundle: { format: 'bellwether.assistant', version: 1, assistant: { name: 'x', metadata } },
      }),
    'an import of what LAMB exports': (metadata) =>
      at('/lamb/v1/assistants/import', { bundle: { name: 'x', api_callback: JSON.stringify(metadata) } }),
    'a preview of a draft': (metadata) =>
      at('/lamb/v1/assistants/preview', { messages, draft: { name: 'x', metadata } }),
    'a preview of a change': (metadata) =>
      at(`/lamb/v1/assistants/${String(id)}/preview`, { messages, draft: { name: 'x', metadata } }),
    "a tool's configuration": (metadata) => at('/lamb/v1/completions/tools/weather/validate', metadata),
  };

  for (const [what, metadata] of Object.entries(OVERSIZE)) {
    for (const [way, send] of Object.entries(WAYS)) {
      it(`${what} is refused at once in ${way}`, async () => {
        const startedAt = performance.now();

        const refusal = refusalOf(await send(metadata), 422);

        expect(refusal).to.include({ code: 'too_complex' });
        expect(refusal.message).to.match(/(larger|more|deeper) than [\d,]+ (bytes|keys and values|levels)/);
        expect(performance.now() - startedAt).to.be.lessThan(2_000);
      });
    }
  }

  for (const what of ['too many keys', 'too many levels', 'too many bytes']) {
    it(`${what}, stored before there was a limit, neither runs nor is restored or converted`, async () => {
      const { id: old, version } = await world.service.createAssistant({ metadata: { connector: 'openai' } });
      const content = JSON.stringify(what === 'too many keys' ? manyKeys(20_000) : OVERSIZE[what]);
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
        await at(`${path}/convert`, {}),
        await at(`${path}/versions/${String(version)}/restore`, {}),
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
    world = await createTestService();
  });
  after(() => endWorld(world));

  const BODIES: Readonly<Record<string, readonly [string, string, object]>> = {
    'a configuration of too many keys': [
      'PUT',
      '/lamb/v1/organizations/1/config',
      { features: manyKeys(20_000) },
    ],
    'far too many unknown keys': ['POST', '/lamb/v1/conversations', manyKeys(200_000)],
    'a prompt template of far too many keys': ['POST', '/lamb/v1/prompt-templates', manyKeys(200_000)],
    'an activity of far too many assistants': [
      'PATCH',
      '/lamb/v1/lti/activities/1',
      { assistant_ids: Array.from({ length: 200_000 }, (_, i) => i) },
    ],
    'far too many messages': [
      'POST',
      '/v1/chat/completions',
      {
        model: 'lamb_assistant.1',
        messages: Array.from({ length: 200_000 }, () => ({ role: 'user', content: '' })),
      },
    ],
    'a rubric of far too many keys': [
      'POST',
      '/lamb/v1/rubrics',
      { title: 'x', rubric_data: manyKeys(200_000) },
    ],
    'a call over MCP of far too many keys': ['POST', '/lamb/v1/mcp', manyKeys(200_000)],
  };
  for (const [what, [method, path, body]] of Object.entries(BODIES)) {
    it(`${what} is refused at once`, async () => {
      const startedAt = performance.now();

      const refusal = refusalOf(
        await world.service.request(path, { method, body }),
        path.startsWith('/v1/') ? 400 : 422,
      );

      expect(refusal.message).to.match(/holds more than [\d,]+ keys and values/);
      expect(performance.now() - startedAt).to.be.lessThan(2_000);
    });
  }
});
