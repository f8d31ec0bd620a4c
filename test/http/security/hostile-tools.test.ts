import { expect } from 'chai';
import { call, say } from '../../support/fakes/model-script.js';
import { createTestService, endWorld, type TestService } from '../../support/test-service.js';
import { makeToolFolder, type ToolFolder } from '../../support/tool-folder.js';

const CANARY = 'canary-7f3a9c';

/** Each ends a call in a way of its own; none may end more than that call. */
const DEEDS: Readonly<Record<string, string>> = {
  'throws a proxy that breaks whatever is asked of it': 'throw hostileProxy()',
  'throws a proxy that was revoked': 'throw revoked()',
  'throws an object whose fields cannot be read': 'throw unreadable({})',
  'throws an error whose fields cannot be read': 'throw unreadable(new Error())',
  'throws a refusal whose message cannot be read': 'throw unreadable(notFound("x"))',
  'throws a proxy around a refusal': `throw new Proxy(notFound("x"), { get() { throw new Error("${CANARY}") } })`,
  'throws nothing': 'throw undefined',
  'throws a symbol': `throw Symbol("${CANARY}")`,
  'throws a function': `throw function ${CANARY.replace('-', '_')}() {}`,
  'throws an error with words of others in all its fields': `throw Object.assign(new Error("${CANARY}\\n    at ${CANARY} (/x/${CANARY}.js:1:1)"), { name: "${CANARY}", code: "${CANARY}" })`,
  'throws an error with a stack of its own': `throw Object.assign(new Error("x"), { stack: "Error: ${CANARY}\\n    at ${CANARY} (/home/${CANARY}/x.js:1:1)\\n    at /${CANARY}:2:2" })`,
  'throws an error with a cause': `throw new Error("${CANARY}", { cause: revoked() })`,
  'returns a proxy that breaks whatever is asked of it': 'return hostileProxy()',
  'returns a proxy that was revoked': 'return revoked()',
  'returns what cannot be read': 'return unreadable({})',
};

const TOOL = `
import { notFound } from 'bellwether/errors';
import { defineTool } from 'bellwether/tool';
import { z } from 'zod';

const breaking = () => { throw new Error('${CANARY}'); };
const TRAPS = ['get', 'has', 'ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor', 'set', 'defineProperty'];
const hostileProxy = () => new Proxy({}, Object.fromEntries(TRAPS.map((trap) => [trap, breaking])));
const revoked = () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; };
const unreadable = (thing) => {
  for (const field of ['name', 'message', 'stack', 'code', 'cause', 'content', 'type', 'status', 'toString', 'then']) {
    Object.defineProperty(thing, field, { get: breaking });
  }
  return thing;
};
const deeds = {${Object.entries(DEEDS)
  .map(([name, deed]) => `${JSON.stringify(name)}: () => { ${deed}; }`)
  .join(',')}};

export default defineTool({
  name: 'hostile',
  title: 'Hostile',
  description: 'Breaks.',
  category: 'information',
  version: '1.0.0',
  danger: 'read',
  repeatable: false,
  config: z.object({}),
  args: z.object({ deed: z.string() }),
  asFunction: () => ({ name: 'break_it' }),
  touches: () => [],
  status: () => 'breaking',
  run: async ({ deed }) => deeds[deed](),
});
`;

describe('a tool from elsewhere that', () => {
  let folder: ToolFolder;
  let world: TestService;
  before(async () => {
    folder = await makeToolFolder({ 'hostile.mjs': TOOL });
    world = await createTestService({ TOOLS_DIR: folder.path, LOG_LEVEL: 'debug' });
  });
  after(async () => {
    await endWorld(world);
    await folder.remove();
  });

  for (const deed of Object.keys(DEEDS)) {
    it(`${deed} has failed like any other, and nothing of it is in the log`, async () => {
      const assistant = await world.assistant([call('break_it', { deed }), say('It did not work.')], {
        tools: [{ type: 'hostile', enabled: true, mode: 'function', config: {} }],
      });

      const answer = await world.service.chat(assistant.id, 'Break it.');

      expect(answer.status, answer.text).to.equal(200);
      expect(answer.json.choices[0]?.message.content).to.equal('It did not work.');
      const told = (await world.model.ledger(assistant.model)).at(-1)!.body.messages.at(-1);
      expect(told?.content).to.equal('Error: The tool failed.');
      expect(world.service.output()).not.to.match(/canary|bellwether-tools-/);
    });
  }
});
