import { expect } from 'chai';
import fc from 'fast-check';
import { isRecord, type JsonRecord } from '../../src/core/base/json.js';
import { AppError } from '../../src/core/errors.js';
import { changedPaths, MASK, secretsIn } from '../../src/core/organizations/config-secrets.js';
import {
  badAddressesIn,
  keepMasked,
  maskSecrets,
  openSecrets,
  readOrganizationConfig,
  sealSecrets,
} from '../../src/core/organizations/config.js';
import { createSecretBox } from '../../src/security/secret-box.js';

const box = createSecretBox(Buffer.from('a key for these tests alone'));
const INSTALLED = new Set(['openai', 'ollama', 'google']);
const SECRET_NAMES = [
  'api_key',
  'api_token',
  'token',
  'signup_key',
  'shared_secret',
  'password',
  'secret',
  'apiKey',
];
const CANARY = 'canary-';

/** Configurations of any shape, with secrets anywhere, each one a canary. */
const secret = fc.string({ minLength: 6, maxLength: 12 }).map((text) => CANARY + text);
const anyConfig = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(null, '', 'https://example.test', 0, true, MASK),
    fc.array(tie('node'), { maxLength: 4 }),
    tie('record'),
  ),
  record: fc
    .tuple(
      fc.dictionary(
        fc.oneof(fc.string(), fc.constantFrom('setups', 'models', '__proto__', 'toString')),
        tie('node'),
        {
          maxKeys: 4,
        },
      ),
      fc.dictionary(
        fc.constantFrom(...SECRET_NAMES),
        fc.oneof(
          secret,
          fc.array(secret, { maxLength: 2 }),
          fc.record({ value: secret }),
          fc.constantFrom(null, ''),
        ),
        { maxKeys: 2 },
      ),
    )
    .map(([plain, secrets]) => ({ ...plain, ...secrets })),
})).record as fc.Arbitrary<JsonRecord>;

describe('the secrets of a configuration', () => {
  it('are in no mask and no seal, wherever they stand', () => {
    fc.assert(
      fc.property(anyConfig, (config) => {
        expect(JSON.stringify(maskSecrets(config))).not.to.include(CANARY);
        expect(JSON.stringify(sealSecrets(config, box))).not.to.include(CANARY);
      }),
    );
  });

  it('come back as they were: opened, and kept where their mask is sent', () => {
    fc.assert(
      fc.property(anyConfig, (config) => {
        const stored = sealSecrets(config, box);

        expect(openSecrets(stored, box)).to.deep.equal(config);
        expect(keepMasked(maskSecrets(config), config)).to.deep.equal(config);
        expect(keepMasked(maskSecrets(stored), stored)).to.deep.equal(stored);
      }),
    );
  });

  it('are all that is touched', () => {
    fc.assert(
      fc.property(anyConfig, (config) => {
        const shape = (value: unknown): unknown =>
          Array.isArray(value)
            ? value.map(shape)
            : isRecord(value)
              ? Object.fromEntries(
                  Object.entries(value).map(([key, item]) => [
                    key,
                    SECRET_NAMES.includes(key) ? 0 : shape(item),
                  ]),
                )
              : value;

        expect(shape(maskSecrets(config))).to.deep.equal(shape(config));
        expect(shape(sealSecrets(config, box))).to.deep.equal(shape(config));
      }),
    );
  });

  it('are known by their key in any spelling', () => {
    const config = { apikey: 'a', 'API-KEY': 'b', Password: 'c', clientSecret: 'd', tokens_per_month: 5 };

    expect(maskSecrets(config)).to.deep.equal({
      apikey: MASK,
      'API-KEY': MASK,
      Password: MASK,
      clientSecret: MASK,
      tokens_per_month: 5,
    });
    expect(secretsIn(config)).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('are replaced where a new one is sent, removed where the key is left out, kept where the mask comes back', () => {
    const stored = { a: { api_key: 'one' }, b: { api_key: 'two' }, c: { api_key: 'three' } };

    const kept = keepMasked({ a: { api_key: MASK }, b: { api_key: 'new' }, c: {} }, stored);

    expect(kept).to.deep.equal({ a: { api_key: 'one' }, b: { api_key: 'new' }, c: {} });
  });

  it('never become the mask itself', () => {
    expect(keepMasked({ api_key: MASK, deep: [{ token: MASK }] }, {})).to.deep.equal({ deep: [{}] });
    expect(sealSecrets({ api_key: MASK }, box)).to.deep.equal({ api_key: MASK });
  });

  it('stay with their entry when a list is put in another order or made shorter', () => {
    const stored = {
      servers: [
        { url: 'a', token: '1' },
        { url: 'b', token: '2' },
        { url: 'c', token: '3' },
      ],
    };
    const masked = (...urls: string[]) => ({ servers: urls.map((url) => ({ url, token: MASK })) });

    expect(keepMasked(masked('c', 'a', 'b'), stored).servers).to.deep.equal([
      { url: 'c', token: '3' },
      { url: 'a', token: '1' },
      { url: 'b', token: '2' },
    ]);
    expect(keepMasked(masked('b'), stored).servers).to.deep.equal([{ url: 'b', token: '2' }]);
    expect(keepMasked(masked('new'), stored).servers).to.deep.equal([{ url: 'new' }]);
  });

  it('of a configuration that goes too deep are not looked for', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`) as JsonRecord;
    const lists = JSON.parse(`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`) as JsonRecord;

    for (const config of [deep, lists]) {
      expect(() => maskSecrets(config)).to.throw(AppError, 'levels deep');
    }
  });
});

describe('the changed paths of a configuration', () => {
  it('name every difference and no value', () => {
    const before = { a: { x: 1, y: 2, gone: 1 }, list: [1], same: { b: 1 } };
    const after = { a: { x: 1, y: 'canary', new: null }, list: [2], same: { b: 1 } };

    expect(changedPaths(before, after)).to.have.members(['a.y', 'a.gone', 'a.new', 'list']);
    expect(changedPaths(after, after)).to.deep.equal([]);
  });
});

describe('reading a configuration', () => {
  const lamb = {
    version: '1.0',
    setups: {
      default: {
        name: 'Default',
        providers: {
          openai: {
            api_key: 'sk',
            base_url: 'https://models.example/v1/',
            models: [' gpt-4o ', '', 7, 'gpt-4o-mini'],
            default_model: 'gpt-4o-mini',
            enabled: true,
          },
          ollama: { base_url: 'http://ollama:11434', models: ['llama3'], enabled: false },
          google: 'not an object',
        },
        global_default_model: { provider: 'openai', model: 'gpt-4o' },
        small_fast_model: { provider: 'ollama', model: 'llama3' },
        vision_model: 'openai/gpt-4o',
        fallback_model: { provider: '', model: '' },
        moodle: {
          api_url: 'https://moodle.example/webservice/rest/server.php',
          token: '',
          match_by_email: true,
        },
        knowledge_base: {
          server_url: 'http://kb:9090/',
          api_token: 'kb',
          embeddings: 'ollama:nomic-embed-text',
        },
      },
    },
    tool_use_model: 'openai/gpt-4.1',
  };

  it('understands LAMB’s, in the setup or beside it', () => {
    const {
      providers,
      moodle,
      secrets: _secrets,
      knowledgeServer,
      embeddings,
      prices,
      limits: _limits,
      features,
      ...models
    } = readOrganizationConfig(lamb, INSTALLED);

    expect([...providers.keys()]).to.deep.equal(['openai', 'ollama']);
    expect(providers.get('openai')).to.deep.equal({
      enabled: true,
      apiKey: 'sk',
      baseUrl: 'https://models.example/v1',
      models: ['gpt-4o', 'gpt-4o-mini'],
      defaultModel: 'gpt-4o-mini',
      apiVersion: undefined,
    });
    expect(providers.get('ollama')).to.include({
      enabled: false,
      apiKey: undefined,
      defaultModel: undefined,
    });
    expect(moodle).to.deep.equal({ siteUrl: 'https://moodle.example', token: undefined, matchByEmail: true });
    expect(knowledgeServer).to.deep.equal({ url: 'http://kb:9090', token: 'kb' });
    expect(embeddings).to.equal('ollama:nomic-embed-text');
    expect(prices).to.deep.equal({ currency: 'USD', models: new Map() });
    expect(features).to.deep.equal({ publicLinks: false, embedOrigins: [], templateCatalogue: 'off' });
    expect(models).to.deep.equal({
      globalDefaultModel: { provider: 'openai', model: 'gpt-4o' },
      smallFastModel: { provider: 'ollama', model: 'llama3' },
      visionModel: { provider: 'openai', model: 'gpt-4o' },
      toolUseModel: { provider: 'openai', model: 'gpt-4.1' },
      fallbackModel: undefined,
      reranker: undefined,
    });
  });

  it('never throws, whatever is stored', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (config) => {
        readOrganizationConfig(config, INSTALLED);
        readOrganizationConfig({ setups: { default: config } }, INSTALLED);
        readOrganizationConfig({ providers: config }, INSTALLED);
        readOrganizationConfig({ moodle: config }, INSTALLED);
      }),
    );
  });

  it('reads models from a provider’s own block, where none is named above it', () => {
    const providers = {
      ollama: { enabled: false, fast_model: 'off', tool_use_model: 'off' },
      openai: { fast_model: 'gpt-4o-mini', tool_use_model: 'org/large' },
      google: { fast_model: 'second' },
    };
    const beside = { small_fast_model: 'ollama/llama3', tool_use_model: { provider: 'google', model: 'g' } };

    const within = readOrganizationConfig({ setups: { default: { providers } } }, INSTALLED);
    const above = readOrganizationConfig({ setups: { default: { providers, ...beside } } }, INSTALLED);

    expect(within.smallFastModel).to.deep.equal({ provider: 'openai', model: 'gpt-4o-mini' });
    expect(within.toolUseModel).to.deep.equal({ provider: 'openai', model: 'org/large' });
    expect(above.smallFastModel).to.deep.equal({ provider: 'ollama', model: 'llama3' });
    expect(above.toolUseModel).to.deep.equal({ provider: 'google', model: 'g' });
  });

  it('takes a provider’s name only for what comes before the first slash', () => {
    const choice = (small_fast_model: unknown) =>
      readOrganizationConfig({ small_fast_model }, INSTALLED).smallFastModel;

    expect(choice('gpt-4o')).to.deep.equal({ provider: 'openai', model: 'gpt-4o' });
    expect(choice('ollama/llama3:8b')).to.deep.equal({ provider: 'ollama', model: 'llama3:8b' });
    expect(choice('meta-llama/Llama-3')).to.deep.equal({ provider: 'openai', model: 'meta-llama/Llama-3' });
    expect(choice({ model: 'x' })).to.deep.equal({ provider: 'openai', model: 'x' });
    for (const nothing of ['', 'openai/', {}, null, 7, []]) expect(choice(nothing)).to.equal(undefined);
  });

  it('names the addresses that nothing could be sent to', () => {
    const config = {
      setups: {
        default: { providers: { openai: { base_url: 'file:///etc/passwd' }, ollama: { base_url: '' } } },
      },
      moodle: { api_url: 'moodle.example' },
      knowledge_base: { server_url: 'http://kb:9090' },
    };

    expect(badAddressesIn(config)).to.have.members([
      'setups.default.providers.openai.base_url',
      'moodle.api_url',
    ]);
  });
});
