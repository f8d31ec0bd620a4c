import { isDeepStrictEqual } from 'node:util';
import { Router } from 'express';
import { z } from 'zod';
import type { FaultsOfAssistant } from '../../assistants/check.js';
import type { Assistant } from '../../core/assistants/assistant.js';
import type { AssistantVersion, VersionFacts } from '../../core/assistants/history.js';
import { invalidConfiguration, notFound } from '../../core/errors.js';
import type { PublishGate } from '../../scenarios/gate.js';
import type * as wire from '../contract/assistants.js';
import { parseWith } from '../middleware/json-body.js';
import { pageOf, PageQuery } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';
import { Override } from '../scenarios/override.js';
import { createAssistantShow, writtenFields, type ShowDeps } from './body.js';
import { createAssistantLookup, idIn, type LookupDeps, mustBeSaveable, savedOrThrow } from './lookup.js';

export interface VersionRoutesDeps extends LookupDeps, ShowDeps {
  readonly faultsOf: FaultsOfAssistant;
  readonly gate: PublishGate;
}

const VersionNumber = z.coerce.number().int().positive();
export const Address = z.object({ n: VersionNumber });
export const DiffQuery = z.object({ with: VersionNumber.optional() });
export const Restoring = z.strictObject({
  version: z.number().int().positive().optional(),
  override: Override.optional(),
});

/** What an assistant was, for those who may read how it is made; and the way back. */
export function assistantVersions(deps: VersionRoutesDeps): Router {
  const { assistants, faultsOf, gate } = deps;
  const find = createAssistantLookup(deps);
  const show = createAssistantShow(deps);
  const versionOf = async ({ id }: Assistant, number: number): Promise<AssistantVersion> => {
    const version = await assistants.version(id, number);
    if (!version) throw notFound('The version');
    return version;
  };
  const numberIn = (params: unknown) => parseWith(Address, params, 'The address').n;

  return Router()
    .get('/lamb/v1/assistants/:id/versions', async (req, res) => {
      const { id } = await find.toEdit(idIn(req.params), callerOf(res), 'list versions');
      const page = parseWith(PageQuery, req.query, 'The query');
      res.json(pageOf(await assistants.versions(id, page), showVersionFacts));
    })
    .get('/lamb/v1/assistants/:id/versions/:n', async (req, res) => {
      const assistant = await find.toEdit(idIn(req.params), callerOf(res), 'read version');
      res.json(showVersion(await versionOf(assistant, numberIn(req.params))));
    })
    .get('/lamb/v1/assistants/:id/versions/:n/diff', async (req, res) => {
      const assistant = await find.toEdit(idIn(req.params), callerOf(res), 'compare versions');
      const { with: other = assistant.version } = parseWith(DiffQuery, req.query, 'The query');
      const [from, to] = await Promise.all([
        versionOf(assistant, numberIn(req.params)),
        versionOf(assistant, other),
      ]);
      res.json(diffVersions(from, to));
    })
    .post('/lamb/v1/assistants/:id/versions/:n/restore', async (req, res) => {
      const caller = callerOf(res);
      const assistant = await find.toEdit(idIn(req.params), caller, 'restore version');
      const old = await versionOf(assistant, numberIn(req.params));
      const { version: expectedVersion = assistant.version, override } = parseWith(Restoring, req.body ?? {});
      if (!old.metadata)
        throw invalidConfiguration('This version cannot be restored: its metadata is not a JSON object.');
      const ownership = { ownerId: assistant.ownerId, assistantId: assistant.id };
      await mustBeSaveable({ ...old, metadata: old.metadata }, ownership, faultsOf);

      const whole = { ...old, metadata: old.metadata };
      const settle = await gate.beforeSaving(assistant, whole, { caller, override });
      const edit = { userId: caller.userId, expectedVersion };
      const restored = savedOrThrow(await assistants.restoreVersion(assistant.id, old.version, edit));
      await settle(restored);
      res.json(await show.one(restored, caller));
    });
}

/** Versions as the API shows them. */

function showVersionFacts({ version, author, createdAt, contentHash }: VersionFacts): wire.VersionFacts {
  return { version, author, created_at: createdAt, content_hash: contentHash };
}

function showVersion(version: AssistantVersion): wire.Version {
  return {
    ...showVersionFacts(version),
    ...fieldsOf(version),
    metadata: version.metadata ?? null,
    metadata_text: version.metadataText,
  };
}

/** What changed from one to the other: plain fields by name, metadata by JSON path. */
function diffVersions(from: AssistantVersion, to: AssistantVersion): wire.VersionDiff {
  const [before, after] = [fieldsOf(from), fieldsOf(to)];
  const keys = Object.keys(before) as (keyof typeof before)[];
  return {
    from: from.version,
    to: to.version,
    fields: keys
      .filter((key) => !isDeepStrictEqual(before[key], after[key]))
      .map((key) => ({ field: key, from: before[key], to: after[key] })),
    metadata: metadataDiff(from, to),
  };
}

/** Texts that are no JSON are compared as texts. */
function metadataDiff(from: AssistantVersion, to: AssistantVersion): JsonDiff {
  return from.metadata && to.metadata
    ? jsonDiff(from.metadata, to.metadata)
    : jsonDiff(from.metadataText, to.metadataText);
}

function fieldsOf(version: AssistantVersion) {
  return {
    ...writtenFields(version),
    published: version.published,
    publish_scope: version.publishScope,
    enabled: version.enabled,
  };
}

/** What differs between two JSON values, each place by its JSON path. */
interface JsonDiff {
  readonly added: readonly { readonly path: string; readonly value: unknown }[];
  readonly removed: readonly { readonly path: string; readonly value: unknown }[];
  readonly changed: readonly { readonly path: string; readonly from: unknown; readonly to: unknown }[];
}

const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/;

export function jsonDiff(from: unknown, to: unknown): JsonDiff {
  const diff = { added: [], removed: [], changed: [] } satisfies Record<keyof JsonDiff, unknown[]>;
  compare('$', { from, to }, diff);
  return diff;
}

interface Growing {
  readonly added: { path: string; value: unknown }[];
  readonly removed: { path: string; value: unknown }[];
  readonly changed: { path: string; from: unknown; to: unknown }[];
}

function compare(path: string, { from, to }: { from: unknown; to: unknown }, diff: Growing): void {
  if (isDeepStrictEqual(from, to)) return;
  if (!isContainer(from) || !isContainer(to) || Array.isArray(from) !== Array.isArray(to)) {
    diff.changed.push({ path, from, to });
    return;
  }
  const [before, after] = [new Map(Object.entries(from)), new Map(Object.entries(to))];
  for (const [key, value] of before) {
    const at = path + step(key, Array.isArray(from));
    if (after.has(key)) compare(at, { from: value, to: after.get(key) }, diff);
    else diff.removed.push({ path: at, value });
  }
  for (const [key, value] of after) {
    if (!before.has(key)) diff.added.push({ path: path + step(key, Array.isArray(from)), value });
  }
}

function step(key: string, inList: boolean): string {
  if (inList) return `[${key}]`;
  return PLAIN_KEY.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
