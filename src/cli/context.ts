import type { Command } from 'commander';
import { cliFault, EXIT } from './faults.js';
import type { SavedLogins } from './saved-logins.js';
import { createService, DEFAULT_URL, type Service, serviceAddress, usableKey } from './service.js';
import type { Terminal } from './terminal.js';

type Env = Readonly<Record<string, string | undefined>>;

/** What the program's process lends its commands. */
export interface Surroundings {
  readonly env: Env;
  readonly terminal: Terminal;
  readonly logins: SavedLogins;
  readonly version: string;
  readonly hostname: string;
  /** A path as it was typed, from the folder it was typed in. */
  readonly typedPath: (path: string) => string;
  /** Takes the settings of `.env` in beside those of the environment. */
  readonly loadEnvFile: () => void;
  readonly setExitCode: (code: number) => void;
  /** Calls back at Ctrl-C instead of ending, until what comes back is called. */
  readonly onInterrupt: (act: () => void) => () => void;
}

/** What every command works with. */
export interface Context extends Surroundings {
  /** The service that is meant: --url, BELLWETHER_URL, the one signed in to last, the one on this machine. */
  address(command: Command): Promise<string>;
  /** With a key. */
  connect(command: Command): Promise<Service>;
  /** Whether JSON is wanted instead of text. */
  wantsJson(command: Command): boolean;
}

interface GlobalOptions {
  readonly url?: string;
  readonly json?: boolean;
}

const globals = (command: Command): GlobalOptions => command.optsWithGlobals();

export function createContext(surroundings: Surroundings): Context {
  const { env, logins } = surroundings;

  const address = async (command: Command) =>
    serviceAddress(globals(command).url || env['BELLWETHER_URL'] || (await logins.lastUrl()) || DEFAULT_URL);
  const keyFor = async (url: string) => {
    const given = env['BELLWETHER_API_KEY'];
    if (given) return usableKey(given, 'BELLWETHER_API_KEY');
    const login = await logins.find(url);
    if (login) return usableKey(login.key, logins.file);
    throw cliFault(
      `You are not signed in at ${url}. Run "bellwether login", or set BELLWETHER_API_KEY.`,
      EXIT.notAllowed,
    );
  };

  return {
    ...surroundings,
    address,
    async connect(command) {
      const url = await address(command);
      return createService(url, await keyFor(url));
    },
    wantsJson: (command) => globals(command).json === true,
  };
}

/** For an address: what somebody typed is one part of a path. */
export const part = encodeURIComponent;

const NUMBER = /^(?:lamb_assistant\.)?([1-9]\d{0,14})$/;

/** The number of an assistant. By number no question is asked: who may edit one may not always chat with it. */
export async function assistantId(named: string, service: Service): Promise<number> {
  const { id } = NUMBER.test(named) ? { id: named } : await modelNamed(named, service);
  return Number(NUMBER.exec(id)?.[1]);
}

/** An assistant that one may chat with. */
export interface Model {
  readonly id: string;
  readonly name: string;
}

/** By whatever a chat takes for it: number, model or exact name. */
export async function modelNamed(named: string, service: Service): Promise<Model> {
  try {
    return await service.get<Model>(`/v1/models/${part(named)}`);
  } catch (fault) {
    if ((fault as { readonly status?: number }).status !== 404) throw fault;
    throw cliFault(
      `No assistant that you may use is called "${named}", or several are. "bellwether assistants" lists them with their numbers.`,
    );
  }
}
