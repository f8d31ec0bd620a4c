import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { delimiter, resolve } from 'node:path';
import { expect } from 'chai';
import ollama from '../../agents/connectors/ollama.js';
import openai from '../../agents/connectors/openai.js';
import { type Config, readConfig, secretsIn } from '../../src/config.js';
import { type Connectors, providersOf } from '../../src/core/plugins.js';
import { CODE } from '../../src/paths.js';
import { loadConnectors } from '../../src/plugins/load.js';
import acorn from '../support/fakes/acorn.js';

let connectors: Connectors;
before(async () => {
  const nothing = () => undefined;
  connectors = await loadConnectors(CODE, { debug: nothing, info: nothing, warn: nothing, error: nothing });
});

function configOf(env: Record<string, string | undefined>): Config {
  const read = readConfig(env, connectors);
  if (!read.ok) throw new Error(read.faults.join('; '));
  return read.config;
}

function faultsOf(env: Record<string, string | undefined>): readonly string[] {
  const read = readConfig(env, connectors);
  return read.ok ? [] : read.faults;
}

describe('readConfig', () => {
  it('needs nothing: an empty environment gives what the documentation promises', () => {
    const config = configOf({});

    expect(config).to.include({
      port: 9099,
      host: '127.0.0.1',
      publicUrl: undefined,
      dataDir: resolve('data'),
    });
    expect(config).to.include({ bodyLimitBytes: 20 * 1024 * 1024, demoData: true, logLevel: 'info' });
    expect(config).to.include({ migrateOnAccess: false });
    expect(config.documentLimits.bytes).to.equal(100 * 1024 * 1024);
    expect(config.database).to.deep.equal({ kind: 'sqlite', file: resolve('data', 'bellwether.db') });
    expect(config.limits).to.include({
      toolTimeoutMs: 30_000,
      runTimeoutMs: 300_000,
      toolConcurrency: 8,
      toolResultMaxChars: 100_000,
    });
    expect(config.outboundAllow).to.deep.equal([]);
    expect(config.toolFolders).to.deep.equal([]);
    expect(config.admin).to.include({ password: undefined, apiKey: undefined });
  });

  it('takes a blank value for one that is not set, as a copied .env.example has them', () => {
    const blank = Object.fromEntries(
      [
        'PORT',
        'PUBLIC_URL',
        'DATABASE_URL',
        'ADMIN_EMAIL',
        'ADMIN_PASSWORD',
        'ADMIN_API_KEY',
        'OPENAI_API_KEY',
        'OPENAI_BASE_URL',
        'LOG_LEVEL',
      ].map((name, i) => [name, i % 2 === 0 ? '' : '  ']),
    );

    expect(configOf(blank)).to.deep.equal(configOf({}));
  });

  it('trusts no proxy unless TRUST_PROXY says how many there are, or where', () => {
    expect(configOf({}).trustedProxies).to.equal(undefined);
    expect(configOf({ TRUST_PROXY: '2' }).trustedProxies).to.deep.equal({ hops: 2 });
    expect(configOf({ TRUST_PROXY: '10.0.0.2, fd00::/8' }).trustedProxies)
      .to.have.property('at')
      .with.length(2);
    for (const bad of [
      'true',
      '11',
      '-1',
      'proxy.example.edu',
      '10.0.0.2:80',
      '10.0.0.0/40',
      '0.0.0.0/0',
      '1,',
    ]) {
      expect(faultsOf({ TRUST_PROXY: bad }), bad).to.have.length(1);
      expect(faultsOf({ TRUST_PROXY: bad })[0]).to.match(/^TRUST_PROXY must be how many proxies/);
    }
  });

  it('serves with one process unless WORKERS says how many, or leaves it to the machine', () => {
    expect(configOf({}).workers).to.equal(1);
    expect(configOf({ WORKERS: '4' }).workers).to.equal(4);
    expect(configOf({ WORKERS: 'auto' }).workers).to.equal(availableParallelism());
    for (const WORKERS of ['0', '65', '1.5', '-1', 'many', '1e1']) {
      expect(faultsOf({ WORKERS })).to.deep.equal(['WORKERS must be auto or a whole number from 1 to 64']);
    }
  });

  it('takes several folders of tools, separated as paths are or by commas, and names each that does not exist', () => {
    const given = ['src', 'test'].join(delimiter);

    expect(configOf({ TOOLS_DIR: `${given}, ./docs,` }).toolFolders).to.deep.equal([
      resolve('src'),
      resolve('test'),
      resolve('docs'),
    ]);
    expect(faultsOf({ TOOLS_DIR: 'src,nowhere,package.json' })).to.deep.equal([
      'TOOLS_DIR names a folder that does not exist: nowhere',
      'TOOLS_DIR names a folder that does not exist: package.json',
    ]);
  });

  it('takes a Moodle only with both its address and its token', () => {
    const MOODLE_API_URL = 'https://Moodle.test/webservice/rest/server.php';

    expect(configOf({ MOODLE_API_URL, MOODLE_TOKEN: 'x' }).moodle).to.deep.equal({
      siteUrl: 'https://moodle.test',
      token: 'x',
    });
    expect(configOf({ MOODLE_API_URL }).moodle).to.equal(undefined);
    expect(configOf({ MOODLE_TOKEN: 'x' }).moodle).to.equal(undefined);
    expect(faultsOf({ MOODLE_API_URL: 'moodle.test' })).to.deep.equal([
      'MOODLE_API_URL must be an http:// or https:// URL',
    ]);
  });

  it('knows all of itself that must not be shown', () => {
    const secrets = secretsIn(
      configOf({
        ADMIN_PASSWORD: 'canary-password',
        ADMIN_API_KEY: 'canary-key-0123456789abcdef',
        SECRET_KEY: 'canary-secret-key-0123',
        OPENAI_API_KEY: 'canary-openai',
        ANTHROPIC_API_KEY: 'canary-anthropic',
        GOOGLE_API_KEY: 'canary-google',
        MOODLE_API_URL: 'https://moodle.test',
        MOODLE_TOKEN: 'canary-moodle',
        DATABASE_URL: 'postgres://bellwether:canary%2Fdatabase@db.test/bellwether',
        BLOBS_URL: 's3://bucket',
        AWS_ACCESS_KEY_ID: 'AKIA',
        AWS_SECRET_ACCESS_KEY: 'canary-storage',
        AWS_SESSION_TOKEN: 'canary-session',
      }),
    );

    expect(secrets).to.have.members([
      ...['canary-password', 'canary-key-0123456789abcdef', 'canary-secret-key-0123', 'canary-openai'],
      ...['canary-anthropic', 'canary-google', 'canary-moodle', 'canary/database'],
      ...['canary%2Fdatabase', 'canary-storage', 'canary-session'],
    ]);
    expect(secretsIn(configOf({}))).to.deep.equal([]);
    expect(secretsIn(configOf({ DATABASE_URL: 'postgres://a:odd%zz@db.test/b' }))).to.deep.equal(['odd%zz']);
  });

  it('ignores what is not its own', () => {
    expect(configOf({ PATH: '/bin', npm_config_x: 'y', __proto__: 'x' })).to.deep.equal(configOf({}));
  });

  it('gives a result that nothing can change, to the last level', () => {
    const config = configOf({ OUTBOUND_ALLOW: 'a', OPENAI_API_KEY: 'k' });

    expect(config).to.be.frozen;
    for (const part of [
      config.limits,
      config.admin,
      config.providers,
      config.providers['openai'],
      config.outboundAllow,
      config.database,
      config.weather,
    ]) {
      expect(part).to.be.frozen;
    }
  });

  it('uses PostgreSQL when it has its URL', () => {
    for (const url of ['postgres://u:p@db/x', 'postgresql://db/x?sslmode=require']) {
      expect(configOf({ DATABASE_URL: url }).database).to.deep.equal({ kind: 'postgres', url });
    }
  });

  it('speaks to OpenAI with a key alone, and to a server of one’s own with a URL alone', () => {
    expect(configOf({ OPENAI_API_KEY: ' sk-1 ' }).providers['openai']).to.deep.equal({
      apiKey: 'sk-1',
      baseUrl: '',
      defaultModel: 'gpt-4o-mini',
    });
    expect(
      configOf({ OPENAI_BASE_URL: 'http://localhost:1234/v1//', OPENAI_MODEL: 'm' }).providers['openai'],
    ).to.deep.equal({
      apiKey: '',
      baseUrl: 'http://localhost:1234/v1',
      defaultModel: 'm',
    });
    expect(configOf({ OPENAI_BASE_URL: 'http://localhost:1234/v1' }).providers['openai']).to.deep.equal({
      apiKey: '',
      baseUrl: 'http://localhost:1234/v1',
      defaultModel: undefined,
    });
  });

  it('knows the other providers by their one variable each, and none that is not named', () => {
    const { providers } = configOf({
      OLLAMA_BASE_URL: 'http://localhost:11434/',
      ANTHROPIC_API_KEY: 'canary-a',
      GOOGLE_API_KEY: 'canary-g',
    });

    expect(configOf({}).providers).to.deep.equal({});
    expect(providers).to.deep.equal({
      anthropic: { apiKey: 'canary-a', baseUrl: '', defaultModel: undefined },
      google: { apiKey: 'canary-g', baseUrl: '', defaultModel: undefined },
      ollama: { apiKey: '', baseUrl: 'http://localhost:11434', defaultModel: undefined },
    });
  });

  it('takes of any provider the variables that its connector declares, and reports their faults with all others', () => {
    const installed = new Map([openai, ollama, acorn].map((each) => [each.name, each]));
    const read = (env: Record<string, string>) => readConfig(env, installed);
    const good = read({
      ACORN_API_KEY: 'canary-acorn',
      SMALL_FAST_MODEL: 'acorn/oak',
      EMBEDDINGS: 'acorn:oak-embed',
    });
    const bad = read({ ACORN_BASE_URL: 'file:///etc', PORT: 'x', EMBEDDINGS: 'anthropic:x' });

    const { config } = good as Extract<typeof good, { ok: true }>;
    expect(config.providers).to.deep.equal({
      acorn: { apiKey: 'canary-acorn', baseUrl: '', defaultModel: 'oak-small' },
    });
    expect(config.smallFastModel).to.deep.equal({ provider: 'acorn', model: 'oak' });
    expect(secretsIn(config)).to.deep.equal(['canary-acorn']);
    expect(bad).to.deep.equal({
      ok: false,
      faults: [
        'PORT must be a whole number',
        'ACORN_BASE_URL must be an http:// or https:// URL',
        'EMBEDDINGS must be none, local, openai:<model>, ollama:<model> or acorn:<model>',
      ],
    });
  });

  it('is explained in .env.example as far as providers go', async () => {
    const example = await readFile(new URL('../../.env.example', import.meta.url), 'utf8');
    const variables = [...providersOf(connectors).values()].flatMap(({ env }) => Object.values(env));

    expect(variables).to.include('OPENAI_API_KEY');
    expect(variables.filter((name) => !example.includes(`\n${name}=`))).to.deep.equal([]);
  });

  it('reads the small model as a provider and its model, or as a model alone', () => {
    expect(configOf({}).smallFastModel).to.equal(undefined);
    expect(configOf({ SMALL_FAST_MODEL: 'ollama/llama3' }).smallFastModel).to.deep.equal({
      provider: 'ollama',
      model: 'llama3',
    });
    expect(configOf({ SMALL_FAST_MODEL: 'gpt-4o-mini' }).smallFastModel).to.deep.equal({
      provider: 'openai',
      model: 'gpt-4o-mini',
    });
  });

  it('counts sizes in bytes, 0 standing for no quota', () => {
    expect(configOf({})).to.include({ bodyLimitBytes: 20 * 2 ** 20, filesQuotaBytes: 2 ** 30 });
    expect(configOf({ BODY_LIMIT: '512KB', FILES_QUOTA_MB: '0' })).to.include({
      bodyLimitBytes: 512 * 1024,
      filesQuotaBytes: 0,
    });
    expect(configOf({ BODY_LIMIT: '7b' }).bodyLimitBytes).to.equal(7);
  });

  it('reads where bytes are kept: a place in object storage, with the usual variables of AWS', () => {
    const nothing = { endpoint: undefined, region: undefined, credentials: undefined };
    const place = { bucket: 'school', prefix: '', ...nothing };
    const blobs = (url: string, more: object = {}) => configOf({ BLOBS_URL: url, ...more }).blobs;

    expect(configOf({ AWS_REGION: 'eu-central-1' }).blobs).to.equal(undefined);
    expect(blobs('s3://school')).to.deep.equal(place);
    expect(blobs('s3://school/a/b-1/', { AWS_REGION: 'x', AWS_ACCESS_KEY_ID: 'alone' })).to.deep.equal({
      ...{ ...place, prefix: 'a/b-1/', region: 'x' },
    });
    const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
    expect(blobs('s3://school?endpoint=http%3A%2F%2Fminio%3A9000&region=x', keys)).to.deep.equal({
      ...{ ...place, endpoint: 'http://minio:9000', region: 'x' },
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    });
    expect(blobs('s3://school?endpoint=http://minio:9000')).to.include({ region: 'us-east-1' });
  });

  it('reads the list of hosts that tools may reach', () => {
    const allowed = ' kb.school.example, 10.0.0.0/8 ,,::1 ,kb:8080,10.0.0.1:80,[::1]:80';
    expect(configOf({ OUTBOUND_ALLOW: allowed }).outboundAllow).to.deep.equal([
      'kb.school.example',
      '10.0.0.0/8',
      '::1',
      'kb:8080',
      '10.0.0.1:80',
      '[::1]:80',
    ]);
  });

  for (const [name, bad] of Object.entries({
    PORT: ['x', '-1', '65536', '1.5', 'NaN', 'Infinity', '0x'],
    PUBLIC_URL: [
      'school.example',
      'ftp://x',
      'javascript:alert(1)',
      '//x',
      'https://school.example/?x=1',
      'https://school.example/#a',
    ],
    DATABASE_URL: ['mysql://x', 'sqlite://x', './file.db', 'x'],
    BLOBS_URL: [
      ...['x', './data', 'https://school.example/x', 's3://', 's3://UPPER/x', 's3://a', 's3:bucket'],
      ...['s3://key:secret@bucket/x', 's3://bucket/a//b', 's3://bucket/a%20b', 's3://bucket/.a'],
      ...['s3://bucket/x?endpoint=files.example', 's3://bucket/x?regoin=eu-central-1'],
    ],
    ADMIN_EMAIL: ['nobody', 'a@', '@b.example'],
    ADMIN_PASSWORD: ['1234567'],
    ADMIN_API_KEY: ['short', `has blanks ${'x'.repeat(24)}`, 'x'.repeat(201), 'ñ'.repeat(30)],
    SECRET_KEY: ['fifteen letters'],
    SECRET_KEY_REPLACES: ['the one before', '0123456789ABCDEF', '0123'],
    OPENAI_BASE_URL: ['models', 'file:///etc/passwd'],
    WEATHER_URL: ['x'],
    GEOCODING_URL: ['x'],
    TOOL_TIMEOUT_MS: ['0', '-5', 'soon', '3600001'],
    RUN_TIMEOUT_MS: ['0', '1e99'],
    MODEL_SILENCE_MS: ['0'],
    TOOL_CONCURRENCY: ['0', '33', '1.5'],
    TOOL_RESULT_MAX_CHARS: ['99', 'all'],
    FILES_QUOTA_MB: ['-1', '1gb'],
    BODY_LIMIT: ['20', 'mb', '20gb', '-1mb', '1.5mb'],
    RATE_LIMIT: ['-1', 'none'],
    HEARTBEAT_MS: ['9'],
    SHUTDOWN_GRACE_MS: ['-1'],
    METRICS_TOKEN: ['fifteen-letters', 'has blanks 0123456789'],
    OTEL_EXPORTER_OTLP_ENDPOINT: ['localhost:4318', 'grpc://x'],
    OTEL_EXPORTER_OTLP_HEADERS: ['alone', 'a=%ff', 'a=1,b'],
    LOG_LEVEL: ['loud', 'INFO '],
    DEMO_DATA: ['yes', '1', 'TRUE'],
    OUTBOUND_ALLOW: [
      '10.0.0.0/99',
      'http://kb.school.example/',
      'kb:99999',
      '[::1',
      '*',
      'kb:',
      '10.0.0.0/8:80',
    ],
  })) {
    for (const value of bad) {
      it(`refuses ${name}=${value.slice(0, 20)} by name`, () => {
        const faults = faultsOf({ [name]: value });

        expect(faults).not.to.be.empty;
        for (const fault of faults) expect(fault).to.match(new RegExp(`^${name} must `));
      });
    }
  }

  it('lists every fault at once', () => {
    const faults = faultsOf({
      PORT: 'x',
      BODY_LIMIT: 'x',
      LOG_LEVEL: 'x',
      DEMO_DATA: 'x',
      ADMIN_EMAIL: 'x',
      RATE_LIMIT: 'x',
    });

    expect(faults.map((fault) => fault.split(' ')[0])).to.have.members([
      'PORT',
      'BODY_LIMIT',
      'LOG_LEVEL',
      'DEMO_DATA',
      'ADMIN_EMAIL',
      'RATE_LIMIT',
    ]);
  });

  it('never repeats a value, which may be a secret', () => {
    const secrets = {
      ADMIN_PASSWORD: 'hunt2',
      SECRET_KEY: 'hunt2',
      ADMIN_API_KEY: 'hunt2 key',
      DATABASE_URL: 'hunt2://a:hunt2@b',
      OPENAI_BASE_URL: 'hunt2',
      PORT: 'hunt2',
    };

    expect(faultsOf(secrets)).to.have.length(6);
    expect(faultsOf(secrets).join()).not.to.include('hunt2');
  });
});
