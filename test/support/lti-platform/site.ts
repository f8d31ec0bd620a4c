import type { Exchange } from '../fakes/ledger-server.js';
import { createFaults, type Faults } from './faults.js';
import { createGradebook, type Gradebook } from './gradebook.js';
import { createJournal, type Journal } from './journal.js';
import { createKeyring, type Keyring } from './keyring.js';
import { createRegistry, type Registry } from './registry.js';
import { PEOPLE, type Person } from './school.js';

/** A click that waits for the tool to ask who it was. */
export interface PendingLaunch {
  readonly tool: number;
  readonly course: number;
  /** None: the content of a new activity is being chosen. */
  readonly activity: number | null;
}

export interface GivenToken {
  readonly tool: number;
  readonly scopes: readonly string[];
}

/** `tool`: the one that is brought up to date by it, instead of a new one. */
export interface Registration {
  readonly state: 'open' | 'used';
  readonly clientId: string;
  readonly tool?: number;
}

/** Everything the platform remembers. */
export interface Site {
  readonly registry: Registry;
  readonly gradebook: Gradebook;
  readonly journal: Journal;
  readonly keyring: Keyring;
  readonly faults: Faults;
  readonly launches: Map<string, PendingLaunch>;
  readonly tokens: Map<string, GivenToken>;
  /** Those that were begun, by the subject of their token. */
  readonly registrations: Map<string, Registration>;
}

export async function createSite(): Promise<Site> {
  const gradebook = createGradebook();
  return {
    registry: createRegistry(gradebook),
    gradebook,
    journal: createJournal(),
    keyring: await createKeyring(),
    faults: createFaults(),
    launches: new Map(),
    tokens: new Map(),
    registrations: new Map(),
  };
}

export type Handler = (site: Site, exchange: Exchange) => Promise<void>;

/** The platform's own address: another site than 127.0.0.1, where tools are, so that browsers treat them as strangers. */
export const addressOf = ({ req }: Pick<Exchange, 'req'>): string =>
  `http://localhost:${String(req.socket.localPort)}`;

/** What was sent in the address or as a form. */
export function fieldsOf({ url, body }: Pick<Exchange, 'url' | 'body'>): Record<string, string> {
  const form = new URLSearchParams(typeof body === 'string' ? body : '');
  return Object.fromEntries([...url.searchParams, ...form]);
}

const COOKIE = 'MoodleSession';

export const cookieFor = (username: string): string =>
  `${COOKIE}=${encodeURIComponent(username)}; Path=/; HttpOnly; SameSite=Lax`;

/** Who is logged in. The cookie is the name: nobody here has anything to lose. */
export function userOf({ req }: Pick<Exchange, 'req'>): Person | undefined {
  const cookies = (req.headers.cookie ?? '').split(/;\s*/).map((cookie) => cookie.split('='));
  const [, username] = cookies.find(([name]) => name === COOKIE) ?? [];
  return PEOPLE.find((person) => person.username === decodeURIComponent(username ?? ''));
}

export const isStaff = (person: Person | undefined): boolean =>
  person !== undefined && person.role !== 'student';
