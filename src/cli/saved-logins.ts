import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isRecord, textIn } from '../core/base/json.js';
import { cliFault, misused } from './faults.js';

/** Whose key is kept for a service. */
export interface Login {
  readonly key: string;
  /** Of a key that `login` made itself: `logout` takes it back. */
  readonly keyId?: number | undefined;
  readonly email?: string | undefined;
}

export interface SavedLogins {
  readonly file: string;
  /** The service that was signed in to last. */
  lastUrl(): Promise<string | undefined>;
  find(url: string): Promise<Login | undefined>;
  save(url: string, login: Login): Promise<void>;
  /** False when there was none. */
  remove(url: string): Promise<boolean>;
}

interface Kept {
  readonly url?: string | undefined;
  /** By the address of the service: a key goes to no other. */
  readonly services: Readonly<Record<string, Login>>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The XDG base directory specification's place for what a user configures; on Windows its own. */
export function loginFile(env: Env, home: string): string {
  const folder = env['XDG_CONFIG_HOME'] || env['APPDATA'] || join(home, '.config');
  return join(folder, 'bellwether', 'login.json');
}

export function createSavedLogins(file: string): SavedLogins {
  const read = async (): Promise<Kept> => {
    const text = await readFile(file, 'utf8').catch(absent);
    if (text === undefined) return { services: {} };
    await mustBePrivate(file);
    return keptIn(text, file);
  };
  const write = async (kept: Kept): Promise<void> => {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const whole = `${file}.new`;
    await writeFile(whole, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
    // The mode counts only for a file that is new.
    await chmod(whole, 0o600);
    await rename(whole, file);
  };

  return {
    file,
    lastUrl: async () => (await read()).url,
    async find(url) {
      const { services } = await read();
      return Object.hasOwn(services, url) ? services[url] : undefined;
    },
    async save(url, login) {
      const { services } = await read();
      await write({ url, services: { ...services, [url]: login } });
    },
    async remove(url) {
      const { services, url: last } = await read();
      if (!Object.hasOwn(services, url)) return false;
      const left = Object.fromEntries(Object.entries(services).filter(([each]) => each !== url));
      await write({ url: last === url ? undefined : last, services: left });
      return true;
    },
  };
}

function absent(fault: unknown): undefined {
  const { code } = fault as NodeJS.ErrnoException;
  if (code !== 'ENOENT') throw misused(`The file of kept keys cannot be read (${code ?? 'unknown reason'}).`);
}

/** Windows has no such mode; there the folder is the user's own. */
async function mustBePrivate(file: string): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o077) === 0 || /^[a-z]:/i.test(file)) return;
  throw cliFault(`Others can read the keys in ${file}. Run "chmod 600 ${file}", and revoke what is in it.`);
}

function keptIn(text: string, file: string): Kept {
  const broken = () => misused(`${file} is not as "login" writes it. Delete it and sign in again.`);
  const read = (): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      throw broken();
    }
  };
  const kept = read();
  if (!isRecord(kept) || !isRecord(kept['services'])) throw broken();
  const services = Object.entries(kept['services']).map(([url, login]) => {
    const key = isRecord(login) ? textIn(login, 'key') : undefined;
    if (!isRecord(login) || key === undefined) throw broken();
    const keyId = typeof login['keyId'] === 'number' ? login['keyId'] : undefined;
    return [url, { key, keyId, email: textIn(login, 'email') }] as const;
  });
  return { url: textIn(kept, 'url'), services: Object.fromEntries(services) };
}
