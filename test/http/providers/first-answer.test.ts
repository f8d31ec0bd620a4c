import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { PROJECT_ROOT } from '../../support/child-process.js';
import { startFakeModel, startFakeProviders, uniqueName } from '../../support/fakes/fakes.js';
import { say } from '../../support/fakes/model-script.js';
import { makeDataDir, removeDataDir, startServiceProcess } from '../../support/service.js';
import { aCustomerOf, PROVIDERS, speakingThrough } from '../support/provider-cases.js';
import { assistantOf } from '../support/settings-client.js';
import { aPerson, speakingTo } from '../support/users-fixture.js';

const PRELOADED = pathToFileURL(join(PROJECT_ROOT, 'test/http/support/longest-turn.mjs')).href;
/** The largest of LangChain's packages. Loaded as they are installed, they held the event loop for 150 ms. */
const provider = PROVIDERS.find(({ name }) => name === 'azure_openai')!;
const MOST_MS = 80;

describe('the first answer of a provider that is asked through LangChain', () => {
  it('keeps nobody waiting who is being answered meanwhile', async () => {
    const dataDir = await makeDataDir();
    const [model, fake] = await Promise.all([startFakeModel(), startFakeProviders()]);
    const LONGEST_TURN = join(dataDir, 'longest-turn');
    const env = { NODE_OPTIONS: `--import ${PRELOADED}`, LONGEST_TURN };
    const service = await startServiceProcess(env, { dataDir });
    try {
      const listener = await aPerson(service, { config: speakingTo(model) });
      const llm = uniqueName('paced');
      await model.script(llm, [say('word '.repeat(100), { chunks: 100, paceMs: 20 })]);
      const ordinary = await assistantOf(service, listener, { connector: 'openai', llm });

      const stream = await service.stream(ordinary.id, 'Go on', { key: listener.key });
      const frames = stream.frames[Symbol.asyncIterator]();
      await frames.next();
      process.kill(service.pid, 'SIGUSR2');
      const person = await aCustomerOf(service, provider, fake);
      const { id } = await speakingThrough(service, { fake, provider, person }, [say('Hello.')]);
      const { json } = await service.chat(id, 'Hello?', { key: person.key });
      for (let next = await frames.next(); !next.done;) next = await frames.next();
      await service.stop();

      expect(json.choices[0]?.message.content).to.equal('Hello.');
      expect(Number(await readFile(LONGEST_TURN, 'utf8'))).to.be.within(0.1, MOST_MS);
    } finally {
      await service.kill();
      await Promise.all([model.stop(), fake.stop(), removeDataDir(dataDir)]);
    }
  });
});
