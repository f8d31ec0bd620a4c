import { expect } from 'chai';
import { speakWithRetries } from '../../agents/models/retries.js';
import { type Connector, defineConnector } from '../../src/core/connector.js';
import { AppError } from '../../src/core/errors.js';
import { NO_USAGE } from '../../src/core/runs/event.js';
import { aContext } from '../support/run-context.js';

const fault = (retryable: boolean, retryAfterSeconds?: number) =>
  new AppError('The model provider failed.', {
    status: 502,
    type: 'api_error',
    code: 'upstream_failed',
    retryable,
    retryAfterSeconds,
  });

/** A connector that goes through its turns: words, and then a fault or the end. */
function playing(name: string, turns: readonly { readonly says?: string[]; readonly fails?: AppError }[]) {
  const asked: string[] = [];
  const connector: Connector = defineConnector({
    name,
    title: name,
    supportsFunctions: true,
    models: () => [],
    async stream({ model }, _ctx, say) {
      const { says = [], fails } = turns[asked.push(model) - 1] ?? { fails: fault(true, 0) };
      for (const word of says) await say(word);
      if (fails) throw fails;
      return { toolCalls: [], finishReason: 'stop', usage: NO_USAGE };
    },
  });
  return { connector, asked };
}

async function speak(primary: Connector, fallback: Connector | undefined) {
  const speakers: string[] = [];
  const words: string[] = [];
  const question = { messages: [], functions: [], mustAnswer: false, sampling: {}, sources: [] };
  const chosen = {
    connector: primary,
    model: 'first',
    fallback: fallback && { connector: fallback, model: 'second' },
  };
  try {
    await speakWithRetries(chosen, question, aContext(), {
      say: (text) => void words.push(text),
      speakerChanged: ({ model }) => speakers.push(model),
    });
    return { words, speakers, fault: undefined };
  } catch (thrown) {
    return { words, speakers, fault: thrown };
  }
}

const at = (seconds: number) => ({ fails: fault(true, seconds) });

describe('speaking with retries', () => {
  it('asks the fallback model once, after two more tries of the chosen one', async () => {
    const [first, second] = [playing('a', [at(0), at(0), at(0)]), playing('b', [{ says: ['Hello'] }])];

    const { words, speakers } = await speak(first.connector, second.connector);

    expect({ words, speakers }).to.deep.equal({ words: ['Hello'], speakers: ['second'] });
    expect([first.asked, second.asked]).to.deep.equal([['first', 'first', 'first'], ['second']]);
  });

  it('asks it at once when the provider wants to be left alone for too long', async () => {
    const [first, second] = [playing('a', [at(3600)]), playing('b', [{ says: ['Hello'] }])];

    expect((await speak(first.connector, second.connector)).words).to.deep.equal(['Hello']);
    expect(first.asked).to.have.length(1);
  });

  it('does not ask it when a try succeeds, nor when trying again makes no sense', async () => {
    const second = playing('b', [{ says: ['Hello'] }]);

    const recovered = await speak(playing('a', [at(0), { says: ['Hi'] }]).connector, second.connector);
    const refused = await speak(playing('a', [{ fails: fault(false) }]).connector, second.connector);

    expect(recovered).to.deep.include({ words: ['Hi'], speakers: [] });
    expect(refused.fault).to.be.instanceOf(AppError);
    expect(second.asked).to.deep.equal([]);
  });

  it('never says anything twice: after the first word there is no second try and no other model', async () => {
    const first = playing('a', [{ says: ['Hel'], fails: fault(true, 0) }]);
    const second = playing('b', [{ says: ['Hello'] }]);

    const outcome = await speak(first.connector, second.connector);

    expect(outcome.words).to.deep.equal(['Hel']);
    expect(outcome.fault).to.be.instanceOf(AppError);
    expect([first.asked.length, second.asked.length]).to.deep.equal([1, 0]);
  });

  it('asks it a single time, and fails with it', async () => {
    const [first, second] = [playing('a', []), playing('b', [at(0), { says: ['too late'] }])];

    const outcome = await speak(first.connector, second.connector);

    expect(outcome).to.deep.include({ words: [], speakers: ['second'] });
    expect(outcome.fault).to.be.instanceOf(AppError);
    expect(second.asked).to.have.length(1);
  });

  it('fails as ever where no fallback is set', async () => {
    const first = playing('a', []);

    expect((await speak(first.connector, undefined)).fault).to.be.instanceOf(AppError);
    expect(first.asked).to.have.length(3);
  });

  it('lets go of the model when the listener leaves in the middle, and takes it for no fault of the model', async () => {
    let wasLetGo = false;
    const connector = defineConnector({
      name: 'a',
      title: 'A',
      supportsFunctions: true,
      models: () => [],
      async stream(_request, _ctx, say) {
        try {
          for (;;) await say('word');
        } catch {
          wasLetGo = true;
          throw fault(true, 0);
        }
      },
    });
    const question = { messages: [], functions: [], mustAnswer: false, sampling: {}, sources: [] };

    const enough = new Error('Enough.');
    const speech = speakWithRetries({ connector, model: 'm' }, question, aContext(), {
      say() {
        throw enough;
      },
    });

    expect(await speech.catch((fault: unknown) => fault)).to.equal(enough);
    expect(wasLetGo).to.equal(true);
  });
});
