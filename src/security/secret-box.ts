import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
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
