import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isSealed, SEALED, type SecretBox, unreadableSecret } from '../core/organizations/secret-box.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM with a new nonce each time: the same text never looks the same twice, and no change goes unnoticed. */
export function createSecretBox(key: Buffer): SecretBox {
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'bellwether secret box v1', 32));
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, derived, nonce, { authTagLength: TAG_BYTES });
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return SEALED + Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64url');
    },

    open(sealed) {
      const bytes = Buffer.from(isSealed(sealed) ? sealed.slice(SEALED.length) : '', 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) throw unreadableSecret();
      const decipher = createDecipheriv(CIPHER, derived, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        const shown = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([shown, decipher.final()]).toString('utf8');
      } catch {
        throw unreadableSecret();
      }
    },
  };
}

const FILE = 'secret.key';
const KEY_BYTES = 32;
const WHOLE = /^[0-9a-f]{64}\n?$/;

export interface KeySource {
  /** `SECRET_KEY`, which goes before the file. */
  readonly secretKey: string | undefined;
  readonly dataDir: string;
}

/** The key that secrets are sealed with. Without `SECRET_KEY` it is in a file of its own, made at the first start. */
export async function readSecretKey({ secretKey, dataDir }: KeySource): Promise<Buffer> {
  if (secretKey !== undefined) return Buffer.from(secretKey, 'utf8');
  const path = join(dataDir, FILE);
  const stored = (await contentsOf(path)) ?? (await make(path, dataDir));
  if (WHOLE.test(stored)) return Buffer.from(stored.trim(), 'hex');
  throw new Error(
    `${path} does not hold a key. Put back the file that was made at the first start, or set SECRET_KEY.`,
  );
}

/** Written whole beside its place, then linked into it: of two processes that start at once, one makes the key of both. */
async function make(path: string, dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${randomBytes(KEY_BYTES).toString('hex')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path).catch(unless('EEXIST'));
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(path, 'utf8');
}

async function contentsOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(unless('ENOENT'));
}

function unless(code: string): (fault: unknown) => undefined {
  return (fault) => {
    if ((fault as { readonly code?: string }).code !== code) throw fault;
  };
}
