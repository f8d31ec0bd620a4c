import { constants, existsSync } from 'node:fs';
import { access, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredBytes } from '../../db/blobs/lost.js';
import { type Examined, examineDatabase } from '../../db/engines/integrity.js';
import { type Config, secretsIn } from '../config.js';
import type { AttachmentLimits } from '../core/attachments/attachment.js';
import type { S3Place } from '../core/blobs.js';
import { createRedactor, type Redactor } from '../core/base/redactor.js';
import { SEALED, type SecretBox } from '../core/organizations/secret-box.js';
import { fingerprintOf, otherKey } from '../security/agreed-key.js';
import { createSecretBox, readSecretKey } from '../security/secret-box.js';
import { readEnvironment } from '../startup/environment.js';
import { examineConnections } from './connections.js';
import type { Finding, Looking } from './finding.js';

const LEAST_FREE_BYTES = 200 * 1024 * 1024;
const GIGABYTE = 1024 ** 3;
const SEALED_VALUE = new RegExp(`${SEALED.replaceAll('.', '\\.')}[\\w-]+`, 'g');
const NOT_YET = 'not there yet: it is made at the first start';

/** Looks through the installation that this environment describes and changes nothing in it. */
export async function* examineInstallation(
  env: NodeJS.ProcessEnv,
  looking: Looking,
): AsyncGenerator<Finding> {
  const read = await readEnvironment(env);
  if (!read.ok) {
    const advice =
      'Mend it in .env, or in the environment of the service; .env.example says what each setting is for.';
    yield { what: 'configuration', faults: [...read.faults, advice] };
    return;
  }
  const redactor = createRedactor();
  secretsIn(read.config).forEach(redactor.protect);
  for await (const { what, faults, note } of examine(read.config, redactor, looking)) {
    yield { what, note, faults: faults.map((fault) => redactor.redact(fault)) };
  }
}

async function* examine(config: Config, redactor: Redactor, looking: Looking): AsyncGenerator<Finding> {
  yield { what: 'configuration', faults: [] };
  const isThere = existsSync(config.dataDir);
  yield isThere ? await dataFolder(config) : { what: 'data folder', faults: [], note: NOT_YET };
  if (isThere) yield await diskSpace(config);
  const found = await examineDatabase(config.database).catch((fault: unknown) => messageOf(fault));
  if (typeof found === 'string') {
    yield { what: 'database', faults: [`It cannot be read: ${found}. ${placeOf(config)}`] };
    return;
  }
  const storage = config.blobs && (await objectStorage(config.blobs));
  if (storage) yield storage;
  yield found ? database(found) : { what: 'database', faults: [], note: NOT_YET };
  if (!found || found.faults.length > 0) return;
  yield migrations(found);
  const sealed = await secrets(found, config);
  yield sealed;
  if (!config.blobs) {
    yield await documents(found, config);
    yield await attachments(found, config);
    yield await privateFiles(config);
  } else if (storage?.faults.length === 0 && found.pendingMigrations === 0) {
    yield* bytesInStorage(config, config.blobs);
  }
  if (!looking.outside) return;
  const note =
    found.pendingMigrations > 0
      ? 'not looked at: the schema of the database is behind'
      : 'not looked at: stored secrets cannot be opened';
  if (found.pendingMigrations > 0 || sealed.faults.length > 0)
    yield { what: 'providers, Moodle, LTI platforms', faults: [], note };
  else yield* examineConnections(config, redactor, looking);
}

const placeOf = ({ database: { kind } }: Config): string =>
  kind === 'postgres' ? 'Check DATABASE_URL, and that PostgreSQL runs.' : 'Check DATA_DIR and who owns it.';

async function dataFolder({ dataDir }: Config): Promise<Finding> {
  const usable = await isAccessible(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  const faults = usable
    ? []
    : [`${dataDir} cannot be read and written by this account. Start as the account of the service.`];
  return { what: 'data folder', faults, note: dataDir };
}

async function diskSpace({ dataDir }: Config): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const faults =
    free < LEAST_FREE_BYTES ? ['There are less than 200 MB. Make room before writing fails.'] : [];
  return { what: 'disk space', faults, note: `${(free / GIGABYTE).toFixed(1)} GB free` };
}

function database({ faults, server }: Examined): Finding {
  const advice = 'Stop the service and put back a backup of the whole data folder. Check the disk.';
  return { what: 'database', note: server, faults: faults.length > 0 ? [...faults, advice] : [] };
}

/** Those of a newer version are no fault: the next start brings them. */
function migrations({ pendingMigrations, newerMigrations, schemaFault }: Examined): Finding {
  const note =
    pendingMigrations === 0
      ? newerMigrations === 0
        ? 'newest'
        : `of a newer version, by ${String(newerMigrations)} steps`
      : `${String(pendingMigrations)} steps behind; the next start brings them`;
  return { what: 'schema', faults: schemaFault === undefined ? [] : [schemaFault], note };
}

async function secrets({ sealedTexts, keyFingerprint }: Examined, config: Config): Promise<Finding> {
  const sealed = sealedTexts.flatMap((text) => text.match(SEALED_VALUE) ?? []);
  const what = 'stored secrets';
  if (sealed.length === 0 && keyFingerprint === undefined) return { what, faults: [], note: 'none' };
  if (config.secretKey === undefined && !existsSync(join(config.dataDir, 'secret.key'))) {
    return {
      what,
      faults: ['The key is missing: put secret.key back into the data folder, or set SECRET_KEY.'],
    };
  }
  const key = await readSecretKey(config).catch((fault: unknown) => messageOf(fault));
  if (typeof key === 'string') return { what, faults: [key] };
  const own = fingerprintOf(key);
  if (keyFingerprint !== undefined && keyFingerprint !== own)
    return { what, faults: otherKey(own, keyFingerprint) };
  const box = createSecretBox(key);
  const lost = sealed.filter((value) => !opens(value, box)).length;
  const faults =
    lost === 0
      ? []
      : [
          `${String(lost)} cannot be opened with this key. Put back the key they were stored with, or enter them again.`,
        ];
  return { what, faults, note: String(sealed.length) };
}

function opens(sealed: string, box: SecretBox): boolean {
  try {
    box.open(sealed);
    return true;
  } catch {
    return false;
  }
}

/** Also what may be done there: the first to find out should not be a teacher. */
async function objectStorage(place: S3Place): Promise<Finding> {
  // With the client for it, which takes a while to load.
  const { faultsOfStorage } = await import('../../db/blobs/probe.js');
  const faults = await faultsOfStorage(place).catch((fault: unknown) => [messageOf(fault)]);
  return { what: 'object storage', faults, note: `${place.bucket}/${place.prefix}` };
}

async function* bytesInStorage(
  { database, attachmentLimits: limits }: Config,
  place: S3Place,
): AsyncGenerator<Finding> {
  const { lostBytes } = await import('../../db/blobs/lost.js');
  const found = await lostBytes(database, place).catch((fault: unknown) => messageOf(fault));
  if (typeof found === 'string') {
    yield { what: 'documents, attachments and private files', faults: [found] };
    return;
  }
  const finding = (what: string, { count, lost }: StoredBytes): Finding => ({
    ...{ what, note: String(count) },
    faults: lost.length === 0 ? [] : [...lost, RESTORE],
  });
  yield finding('documents', found.documents);
  const { orphans } = found.attachments;
  yield {
    ...finding('attachments', found.attachments),
    note: attachmentsNote(found.attachments.count, orphans, limits),
  };
  yield finding('private files', found.files);
}

const RESTORE = 'Put them back from a backup of the bucket, or delete and upload them again.';

async function documents({ documentIds }: Examined, { documentsFolder }: Config): Promise<Finding> {
  const unreadable: string[] = [];
  for (const id of documentIds) {
    if (!(await isAccessible(join(documentsFolder, id), constants.R_OK)))
      unreadable.push(`The original of document ${id} is missing or cannot be read.`);
  }
  return { what: 'documents', faults: unreadable, note: String(documentIds.length) };
}

async function attachments(
  { attachmentIds }: Examined,
  { attachmentsFolder, attachmentLimits }: Config,
): Promise<Finding> {
  const known = new Set(attachmentIds);
  const entries = existsSync(attachmentsFolder)
    ? await readdir(attachmentsFolder, { withFileTypes: true })
    : [];
  const orphans = entries.filter((entry) => entry.isFile() && !known.has(entry.name)).length;
  const faults: string[] = [];
  for (const id of attachmentIds) {
    if (!(await isAccessible(join(attachmentsFolder, id), constants.R_OK)))
      faults.push(`The bytes of attachment ${id} are missing or cannot be read.`);
  }
  return { what: 'attachments', faults, note: attachmentsNote(known.size, orphans, attachmentLimits) };
}

/** With what people may send, which is set for the whole service. */
function attachmentsNote(count: number, orphans: number, limits: AttachmentLimits): string {
  const megabytes = (bytes: number) => `${String(Math.round(bytes / 2 ** 20))} MB`;
  const { bytes, filesADay, bytesADay } = limits;
  return [
    String(count),
    ...(orphans > 0 ? [`${String(orphans)} that nobody has any more; the service takes them away`] : []),
    `each up to ${megabytes(bytes)} (ATTACHMENT_LIMIT)`,
    `a person ${String(filesADay)} (ATTACHMENTS_PER_DAY) and ${megabytes(bytesADay)} a day (ATTACHMENTS_PER_DAY_MB)`,
  ].join('; ');
}

async function privateFiles({ filesFolder }: Config): Promise<Finding> {
  if (!existsSync(filesFolder)) return { what: 'private files', faults: [], note: 'none' };
  try {
    const entries = await readdir(filesFolder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const faults: string[] = [];
    for (const { parentPath, name } of files) {
      const file = join(parentPath, name);
      if (!(await isAccessible(file, constants.R_OK))) faults.push(`${file} cannot be read.`);
    }
    return { what: 'private files', faults, note: String(files.length) };
  } catch (fault) {
    return { what: 'private files', faults: [messageOf(fault)] };
  }
}

async function isAccessible(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : 'unknown reason';
}
