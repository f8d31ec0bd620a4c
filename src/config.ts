import { resolve } from 'node:path';
import { z } from 'zod';
import {
  flag,
  folders,
  headersIn,
  httpUrl,
  protocolOf,
  size,
  text,
  timeOfDay,
  trimSlash,
  whole,
  workers,
} from './config-values.js';
import { blobsUrlFault, s3PlaceIn, type S3Access } from './core/blobs.js';
import { moodleSite } from './core/clients/moodle.js';
import { type Connectors, providersOf } from './core/plugins.js';
import type { Providers } from './core/provider.js';
import { embeddingChoiceOf, embeddingForms, modelChoiceOf } from './core/runs/model-choice.js';
import { trustedProxiesIn } from './http/middleware/client-address.js';
import { allowedIn } from './outbound/allow-list.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Every variable the service reads besides those of providers; `.env.example` says what each is for. */
const Variables = z.object({
  PORT: whole(9099, 0, 65535),
  HOST: text.default('127.0.0.1'),
  WORKERS: workers.default(1),
  // Addresses are made by adding to it.
  PUBLIC_URL: httpUrl
    .regex(/^[^?#]*$/, 'must have no ? and no #')
    .transform(trimSlash)
    .optional(),
  TRUST_PROXY: text
    .refine(
      (value) => trustedProxiesIn(value) !== undefined,
      'must be how many proxies are in front, such as 1, or their addresses or ranges, such as 10.0.0.2,10.1.0.0/16',
    )
    .optional(),
  DATA_DIR: text.default('./data'),
  DATABASE_URL: text
    .refine((value) => /^postgres(ql)?:$/.test(protocolOf(value)), 'must be empty or a postgres:// URL')
    .optional(),
  BLOBS_URL: text
    .superRefine((value, ctx) => {
      const fault = blobsUrlFault(value);
      if (fault !== undefined) ctx.addIssue(fault);
    })
    .optional(),
  RUNS_KEEP_MONTHS: whole(0, 0, 1200),
  AWS_ACCESS_KEY_ID: text.optional(),
  AWS_SECRET_ACCESS_KEY: text.optional(),
  AWS_SESSION_TOKEN: text.optional(),
  AWS_REGION: text.optional(),
  ADMIN_EMAIL: z.email({ error: 'must be an e-mail address' }).default('admin@example.com'),
  ADMIN_PASSWORD: z.string().min(8, 'must have at least 8 characters').optional(),
  ADMIN_API_KEY: text
    .regex(/^[\x21-\x7e]{24,200}$/, 'must be 24 to 200 printable characters without blanks')
    .optional(),
  SECRET_KEY: text.min(16, 'must have at least 16 characters').optional(),
  SECRET_KEY_REPLACES: text
    .regex(/^[0-9a-f]{16}$/, 'must be the fingerprint of a key, as the start that was refused has told it')
    .optional(),
  SMALL_FAST_MODEL: text.optional(),
  VISION_MODEL: text.optional(),
  WEATHER_URL: httpUrl.transform(trimSlash).default('https://api.open-meteo.com'),
  GEOCODING_URL: httpUrl.transform(trimSlash).default('https://geocoding-api.open-meteo.com'),
  METRICS_TOKEN: text
    .regex(/^[\x21-\x7e]{16,200}$/, 'must be 16 to 200 printable characters without blanks')
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.transform(trimSlash).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: text
    .refine((value) => headersIn(value) !== undefined, 'must be name=value pairs, divided by commas')
    .optional(),
  ALERT_WEBHOOK_URL: httpUrl.optional(),
  ALERT_WEBHOOK_SECRET: text.optional(),
  KB_SERVER_URL: httpUrl.transform(trimSlash).optional(),
  KB_SERVER_TOKEN: text.optional(),
  EMBEDDINGS: text.default('none'),
  DOCUMENT_LIMIT: size('100mb'),
  DOCUMENT_MAX_PAGES: whole(2_000, 1, 1_000_000),
  MOODLE_API_URL: httpUrl.optional(),
  MOODLE_TOKEN: text.optional(),
  OUTBOUND_ALLOW: text
    .transform((value) =>
      value
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== ''),
    )
    .refine(
      (entries) => entries.every((entry) => allowedIn(entry) !== undefined),
      'must be hosts, addresses or ranges such as 10.1.0.0/16; hosts and addresses may have a port',
    )
    .default([]),
  SOURCE_FOLDERS: folders,
  TOOLS_DIR: folders,
  MIGRATE_ON_ACCESS: flag(false),
  SUITE_NIGHTLY_AT: timeOfDay('03:00'),
  TOOL_TIMEOUT_MS: whole(30_000, 1, 3_600_000),
  RUN_TIMEOUT_MS: whole(300_000, 1, 3_600_000),
  MODEL_SILENCE_MS: whole(120_000, 1, 3_600_000),
  APPROVAL_TIMEOUT_MS: whole(120_000, 1, 3_600_000),
  TOOL_CONCURRENCY: whole(8, 1, 32),
  TOOL_RESULT_MAX_CHARS: whole(100_000, 100, 10_000_000),
  BODY_LIMIT: size('20mb'),
  ATTACHMENT_LIMIT: size('20mb'),
  ATTACHMENTS_PER_DAY: whole(200, 0, 1_000_000),
  ATTACHMENTS_PER_DAY_MB: whole(500, 0, 100_000_000),
  FILES_QUOTA_MB: whole(1024, 0, 100_000_000),
  RATE_LIMIT: whole(1200, 0, 1_000_000),
  CIRCUIT_FAILURES: whole(10, 0, 1_000_000),
  QUEUE_WAIT_MS: whole(10_000, 0, 600_000),
  HEARTBEAT_MS: whole(15_000, 10, 600_000),
  DRAIN_DELAY_MS: whole(0, 0, 600_000),
  SHUTDOWN_GRACE_MS: whole(10_000, 0, 600_000),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'], {
      error: 'must be fatal, error, warn, info, debug or silent',
    })
    .default('info'),
  DEMO_DATA: flag(true),
});

export type Config = ReturnType<typeof shape>;

export type ConfigResult =
  { readonly ok: true; readonly config: Config } | { readonly ok: false; readonly faults: readonly string[] };

/**
 * Reads the environment once, the variables of the connectors' providers included. A bad one is reported whole, so that
 * it is mended in one go.
 */
export function readConfig(env: Env, connectors: Connectors): ConfigResult {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const providers = providersOf(connectors);
  const ours = Variables.safeParse(given);
  const theirs = variablesOf(providers).safeParse(given);
  if (ours.success && theirs.success) {
    const config = shape(ours.data, providersIn(theirs.data, providers), connectors);
    return { ok: true, config: deepFreeze(config) };
  }
  const issues = [ours, theirs].flatMap(({ error }) => error?.issues ?? []);
  return { ok: false, faults: issues.map((issue) => `${issue.path.join('.')} ${issue.message}`) };
}

/** What can be said of providers depends on which there are. */
function variablesOf(providers: Providers) {
  const isKnown = (written: string) => embeddingChoiceOf(written, providers) !== undefined;
  const variables = [...providers.values()].flatMap(({ env: { apiKey, baseUrl, model } }) => [
    ...[apiKey, model].flatMap((name) => (name === undefined ? [] : [[name, text.optional()] as const])),
    ...(baseUrl === undefined ? [] : [[baseUrl, httpUrl.transform(trimSlash).optional()] as const]),
  ]);
  return z.object({
    ...Object.fromEntries<z.ZodType<string | undefined>>(variables),
    EMBEDDINGS: text.refine(isKnown, `must be ${embeddingForms(providers)}`).optional(),
  });
}

/** All of it that nobody may read in a log or on a terminal. */
export function secretsIn({
  admin,
  alertWebhook,
  moodle,
  knowledgeServer,
  secretKey,
  providers,
  database,
  s3,
  metricsToken,
  tracing,
}: Config): readonly string[] {
  return [
    ...[s3.credentials?.secretAccessKey, s3.credentials?.sessionToken],
    ...[admin.password, admin.apiKey, moodle?.token, knowledgeServer?.token, secretKey, alertWebhook?.secret],
    ...[metricsToken, ...Object.values(tracing?.headers ?? {})],
    ...Object.values(providers).map((provider) => provider?.apiKey),
    ...(database.kind === 'postgres' ? passwordIn(database.url) : []),
  ].flatMap((secret) => secret || []);
}

/** As it is written in the URL, and as it is meant where that can be told. */
function passwordIn(url: string): readonly string[] {
  const { password } = new URL(url);
  try {
    return [...new Set([password, decodeURIComponent(password)])];
  } catch {
    return [password];
  }
}

function shape(
  env: z.output<typeof Variables>,
  providers: Readonly<Partial<Record<string, EnvironmentProvider>>>,
  connectors: Connectors,
) {
  const dataDir = resolve(env.DATA_DIR);
  const s3 = s3AccessOf(env);
  return {
    port: env.PORT,
    host: env.HOST,
    workers: env.WORKERS,
    publicUrl: env.PUBLIC_URL,
    trustedProxies: env.TRUST_PROXY === undefined ? undefined : trustedProxiesIn(env.TRUST_PROXY),
    dataDir,
    filesFolder: resolve(dataDir, 'files'),
    filesQuotaBytes: env.FILES_QUOTA_MB * 2 ** 20,
    documentsFolder: resolve(dataDir, 'documents'),
    attachmentsFolder: resolve(dataDir, 'attachments'),
    modelsFolder: resolve(dataDir, 'models'),
    documentLimits: { bytes: env.DOCUMENT_LIMIT, pages: env.DOCUMENT_MAX_PAGES },
    knowledgeServer: env.KB_SERVER_URL
      ? { url: env.KB_SERVER_URL, token: env.KB_SERVER_TOKEN ?? '' }
      : undefined,
    metricsToken: env.METRICS_TOKEN,
    tracing: env.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
          headers: headersIn(env.OTEL_EXPORTER_OTLP_HEADERS ?? '') ?? {},
        }
      : undefined,
    alertWebhook: env.ALERT_WEBHOOK_URL
      ? { url: env.ALERT_WEBHOOK_URL, secret: env.ALERT_WEBHOOK_SECRET ?? '' }
      : undefined,
    embeddings: env.EMBEDDINGS,
    database: env.DATABASE_URL
      ? { kind: 'postgres' as const, url: env.DATABASE_URL }
      : { kind: 'sqlite' as const, file: resolve(dataDir, 'bellwether.db') },
    s3,
    blobs: env.BLOBS_URL === undefined ? undefined : s3PlaceIn(env.BLOBS_URL, s3),
    runsKeepMonths: env.RUNS_KEEP_MONTHS,
    admin: { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD, apiKey: env.ADMIN_API_KEY },
    // scrypt's N: a tenth of a second and 32 MB for each guess. No setting, so that nobody has weaker ones.
    passwordCost: 2 ** 15,
    secretKey: env.SECRET_KEY,
    secretKeyReplaces: env.SECRET_KEY_REPLACES,
    smallFastModel: modelChoiceOf(env.SMALL_FAST_MODEL, connectors),
    visionModel: modelChoiceOf(env.VISION_MODEL, connectors),
    providers,
    weather: { forecastUrl: env.WEATHER_URL, geocodingUrl: env.GEOCODING_URL },
    moodle: moodleOf(env),
    outboundAllow: env.OUTBOUND_ALLOW,
    toolFolders: env.TOOLS_DIR.map((folder) => resolve(folder)),
    sourceFolders: env.SOURCE_FOLDERS.map((folder) => resolve(folder)),
    migrateOnAccess: env.MIGRATE_ON_ACCESS,
    suiteNightlyAt: env.SUITE_NIGHTLY_AT,
    limits: {
      toolTimeoutMs: env.TOOL_TIMEOUT_MS,
      runTimeoutMs: env.RUN_TIMEOUT_MS,
      modelSilenceMs: env.MODEL_SILENCE_MS,
      toolConcurrency: env.TOOL_CONCURRENCY,
      toolResultMaxChars: env.TOOL_RESULT_MAX_CHARS,
      approvalTimeoutMs: env.APPROVAL_TIMEOUT_MS,
    },
    bodyLimitBytes: env.BODY_LIMIT,
    attachmentLimits: {
      bytes: env.ATTACHMENT_LIMIT,
      filesADay: env.ATTACHMENTS_PER_DAY,
      bytesADay: env.ATTACHMENTS_PER_DAY_MB * 2 ** 20,
    },
    requestsPerMinute: env.RATE_LIMIT,
    circuitFailures: env.CIRCUIT_FAILURES,
    queueWaitMs: env.QUEUE_WAIT_MS,
    heartbeatMs: env.HEARTBEAT_MS,
    drainDelayMs: env.DRAIN_DELAY_MS,
    shutdownGraceMs: env.SHUTDOWN_GRACE_MS,
    logLevel: env.LOG_LEVEL,
    demoData: env.DEMO_DATA,
  };
}

/** How object storage is asked, wherever it is. */
function s3AccessOf(env: z.output<typeof Variables>): S3Access {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  const sessionToken = env.AWS_SESSION_TOKEN;
  const credentials =
    accessKeyId === undefined || secretAccessKey === undefined
      ? undefined
      : { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
  return { region: env.AWS_REGION, credentials };
}

/** An address and a token are of no use without each other. */
function moodleOf({ MOODLE_API_URL, MOODLE_TOKEN: token }: z.output<typeof Variables>) {
  const siteUrl = MOODLE_API_URL === undefined ? undefined : moodleSite(MOODLE_API_URL);
  return siteUrl === undefined || token === undefined ? undefined : { siteUrl, token };
}

/** A provider as the environment sets it, for the default organisation. */
export interface EnvironmentProvider {
  readonly apiKey: string;
  /** Empty for the provider's own. */
  readonly baseUrl: string;
  readonly defaultModel: string | undefined;
}

/** A base URL alone is enough: a server of one's own may ask for no key. */
function providersIn(
  variables: Env,
  providers: Providers,
): Readonly<Partial<Record<string, EnvironmentProvider>>> {
  const said = (name: string | undefined) => (name === undefined ? undefined : variables[name]);
  return Object.fromEntries(
    [...providers.values()].flatMap(({ name, env, usualModel }) => {
      const [apiKey, baseUrl] = [said(env.apiKey), said(env.baseUrl)];
      if (apiKey === undefined && baseUrl === undefined) return [];
      // What a server of one's own has is not known here: whoever looks after it chooses.
      const defaultModel = said(env.model) ?? (baseUrl === undefined ? usualModel : undefined);
      return [[name, { apiKey: apiKey ?? '', baseUrl: baseUrl ?? '', defaultModel }]];
    }),
  );
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
