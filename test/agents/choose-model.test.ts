import { expect } from 'chai';
import bypass from '../../agents/connectors/bypass.js';
import demo from '../../agents/connectors/demo.js';
import ollamaItself from '../../agents/connectors/ollama.js';
import openai from '../../agents/connectors/openai.js';
import openaiTools from '../../agents/connectors/openai_tools.js';
import { chooseModel } from '../../agents/models/choose-model.js';
import type { AssistantSetup } from '../../src/core/assistants/assistant.js';
import { defineConnector } from '../../src/core/connector.js';
import { AppError } from '../../src/core/errors.js';
import type { ProviderSettings, Settings } from '../../src/core/runs/run-context.js';
import { aContext } from '../support/run-context.js';

const ollama = defineConnector({ ...ollamaItself, models: () => ['llama3'] });
const connectors = new Map([openai, openaiTools, ollama, demo, bypass].map((each) => [each.name, each]));
const { settings: bare, assistant, log: silent } = aContext();

const provider = (facts: Partial<ProviderSettings> = {}): ProviderSettings => ({
  enabled: true,
  apiKey: 'sk',
  baseUrl: 'http://models.invalid',
  models: [],
  defaultModel: undefined,
  ...facts,
});
const withOpenai = (facts: Partial<ProviderSettings> = {}, more: Partial<Settings> = {}): Settings => ({
  ...bare,
  providers: { openai: provider(facts) },
  ...more,
});

function choose(setup: Partial<AssistantSetup>, settings: Settings) {
  const logged: string[] = [];
  const log = { ...silent, info: (_facts: object, message: string) => logged.push(message) };
  const chosen = chooseModel({ ...assistant.setup, type: 'classic', ...setup }, settings, connectors, log);
  return { connector: chosen.connector.name, model: chosen.model, fallback: chosen.fallback, logged };
}

function refusalOf(setup: Partial<AssistantSetup>, settings: Settings): AppError {
  try {
    choose(setup, settings);
  } catch (fault) {
    if (fault instanceof AppError) return fault;
  }
  throw new Error('It was not refused.');
}

describe('choosing a model', () => {
  const choice = { provider: 'openai', model: 'standard' };

  it('takes the assistant’s own when nothing speaks against it', () => {
    expect(choose({ connector: 'openai', model: 'mine' }, withOpenai())).to.include({
      connector: 'openai',
      model: 'mine',
    });
    const listed = withOpenai({ models: ['a', 'mine'] });
    expect(choose({ connector: 'openai_tools', model: 'mine' }, listed)).to.include({ model: 'mine' });
  });

  it('leaves those who name nothing to the demo while no model of a provider is known', () => {
    expect(choose({}, withOpenai())).to.include({ connector: 'demo', model: 'demo' });
    expect(choose({}, withOpenai({ defaultModel: 'm' }))).to.include({ connector: 'openai', model: 'm' });
    expect(choose({ model: 'mine' }, withOpenai())).to.include({ connector: 'openai', model: 'mine' });
    expect(refusalOf({ connector: 'openai' }, withOpenai())).to.include({ code: 'not_configured' });
  });

  it('takes the default for a model that is not on the organisation’s list, else the first, and says so', () => {
    const setup = { connector: 'openai', model: 'foreign' };

    const byDefault = choose(setup, withOpenai({ models: ['a', 'b'], defaultModel: 'b' }));
    const byList = choose(setup, withOpenai({ models: ['a', 'b'] }));

    expect(byDefault)
      .to.include({ model: 'b' })
      .and.to.deep.include({
        logged: ['model is not offered: another is taken'],
      });
    expect(byList.model).to.equal('a');
    expect(choose(setup, withOpenai({ defaultModel: 'b' })).model).to.equal('foreign');
  });

  it('takes the organisation’s standing choice for an assistant that names no connector', () => {
    const settings = withOpenai(
      { defaultModel: 'usual' },
      { globalDefaultModel: choice, toolUseModel: { provider: 'openai', model: 'handy' } },
    );

    expect(choose({}, settings)).to.include({ connector: 'openai', model: 'standard' });
    expect(choose({ type: 'orchestrator' }, settings)).to.include({ model: 'handy' });
    expect(choose({ model: 'mine' }, settings)).to.include({ connector: 'openai', model: 'mine' });
    expect(choose({ connector: 'openai' }, settings)).to.include({ model: 'usual' });
  });

  it('passes over a choice that cannot be used: not set up, switched off, not installed', () => {
    const off = { ...bare, providers: { openai: provider({ enabled: false }), ollama: provider() } };
    for (const unusable of ['openai', 'google', 'constructor', '__proto__']) {
      const settings = { ...off, globalDefaultModel: { provider: unusable, model: 'x' } };
      expect(choose({}, settings), unusable).to.include({ connector: 'ollama', model: 'llama3' });
    }
    expect(choose({}, { ...bare, globalDefaultModel: choice })).to.include({
      connector: 'demo',
      model: 'demo',
    });
  });

  it('refuses an assistant whose own provider is not set up or switched off, rather than asking another', () => {
    for (const settings of [bare, withOpenai({ enabled: false })]) {
      expect(refusalOf({ connector: 'openai', model: 'x' }, settings)).to.include({
        status: 422,
        code: 'not_configured',
      });
    }
    expect(refusalOf({ connector: 'gone' }, bare)).to.include({ status: 422 });
    expect(choose({ connector: 'bypass' }, bare)).to.include({ connector: 'bypass' });
  });

  it('has a fallback only where one is set, can be used, and is another', () => {
    const setup = { connector: 'openai', model: 'mine' };
    const fallbackOf = (provider: string, model: string, settings = withOpenai()) => {
      const { fallback } = choose(setup, { ...settings, fallbackModel: { provider, model } });
      return fallback && [fallback.connector.name, fallback.model];
    };

    expect(choose(setup, withOpenai()).fallback).to.equal(undefined);
    expect(fallbackOf('openai', 'other')).to.deep.equal(['openai', 'other']);
    expect(fallbackOf('demo', 'demo')).to.deep.equal(['demo', 'demo']);
    expect(fallbackOf('openai', 'mine')).to.equal(undefined);
    expect(fallbackOf('ollama', 'llama3')).to.equal(undefined);
    expect(fallbackOf('nowhere', 'x')).to.equal(undefined);
  });
});
