/** By what the secret key of all processes on one database is known. */
export interface SecretKeyStore {
  /** The fingerprint that holds: this one where there was none yet. */
  agree(fingerprint: string): Promise<string>;
  /** Nothing where another holds by now. */
  replace(held: string, fingerprint: string): Promise<void>;
}
