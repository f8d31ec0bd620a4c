/** What the routes of users, organisations, keys and the audit log answer with. */
export type Role = 'student' | 'creator' | 'org_admin' | 'system_admin';

export interface User {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly organization_id: number;
}

/** Who is signed in. */
export interface Me extends User {
  /** What they have shown who they are with. */
  readonly via: string;
  readonly organization_name: string | null;
}

export interface Account extends User {
  readonly enabled: boolean;
}

export interface Organization {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
}

export interface ApiKey {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly trusted_proxy: boolean;
  readonly expires_at: string | null;
  readonly created_at: string;
}

export interface AuditRow {
  readonly id: number;
  readonly at: string;
  readonly user_id: number | null;
  readonly user_email: string | null;
  readonly organization_id: number | null;
  readonly action: string;
  readonly resource: string;
  readonly outcome: 'done' | 'denied';
  readonly reason: string;
  readonly run_id: string | null;
}

/** Whoever runs models, as its connector declares it: the same for every organisation. */
export interface ProviderFacts {
  readonly name: string;
  readonly title: string;
  /** Where it listens unless told otherwise; empty where everybody has an address of their own. */
  readonly base_url: string;
  /** What its form asks for; none where it has no form. */
  readonly fields: readonly ('api_key' | 'base_url')[];
  /** The model to begin with for vectors; null where it makes none. */
  readonly embeddings_model: string | null;
  /** An example of a model that orders passages; null where it, and servers like it, do not. */
  readonly reranker_model: string | null;
}

/** What is there to work with in the caller's organisation, and what is missing. */
export interface Setup {
  readonly organization_id: number;
  readonly may_administer: boolean;
  readonly providers: readonly {
    readonly name: string;
    readonly title: string;
    readonly configured: boolean;
    readonly models: number;
  }[];
  /** What answers for an assistant that names nobody. */
  readonly default_model: {
    readonly connector: string | null;
    readonly model: string | null;
    readonly is_demo: boolean;
  };
  readonly embeddings: string | null;
  readonly knowledge_base_server: boolean;
  readonly moodle: boolean;
  readonly assistants: { readonly own: number; readonly visible: number };
  readonly collections: number;
  readonly rubrics: number;
  readonly demo_assistants: readonly DemoAssistant[];
}

export interface DemoAssistant {
  readonly id: number;
  readonly name: string;
  readonly description: string;
}

/** Whether a provider is asked: not for a while after it has failed again and again. */
export interface ProviderState {
  readonly name: string;
  readonly title: string;
  /** `half_open` when the next question is the one that tries it out. */
  readonly circuit: 'closed' | 'open' | 'half_open';
  readonly retry_at: string | null;
}

/** Whether a model provider answers. */
export interface ConnectionTest {
  readonly ok: boolean;
  readonly ms: number;
  readonly models: readonly string[] | null;
  readonly message: string;
}

/** What Moodle shows of one student, and what its token's user lacks. */
export interface MoodleCheck {
  readonly ok: boolean;
  readonly ms: number;
  /** Who was asked about; null where they were not found. */
  readonly user_id: number | null;
  readonly checks: readonly {
    readonly name: 'connection' | 'person' | 'courses' | 'assignments' | 'grades' | 'deadlines';
    /** Null where it could not be told. */
    readonly ok: boolean | null;
    readonly finding: MoodleFinding;
    readonly missing: readonly string[];
    readonly function: string | null;
    readonly message: string;
  }[];
}

export type MoodleFinding =
  | 'answers'
  | 'unreachable'
  | 'token_refused'
  | 'account_off'
  | 'services_off'
  | 'moved'
  | 'maintenance'
  | 'given'
  | 'found'
  | 'not_found'
  | 'several'
  | 'shown'
  | 'none'
  | 'all_missing'
  | 'some_missing'
  | 'hidden'
  | 'left_out'
  | 'separate_groups'
  | 'refused'
  | 'not_in_service'
  | 'unknown';

/** How an organisation's documents are searched, and how far that is. */
export interface SearchState {
  /** What the service uses where an organisation has not chosen, as EMBEDDINGS says. */
  readonly default_embeddings: string;
  /** Whose vectors are in use; null where passages are found by their words alone. */
  readonly model: string | null;
  readonly documents: {
    readonly total: number;
    /** With vectors of that model. */
    readonly embedded: number;
    /** Queued for their vectors, or just getting them. */
    readonly waiting: number;
  };
  readonly local_models: readonly LocalModelState[];
  readonly may_install: boolean;
}

export interface LocalModelState {
  readonly name: string;
  readonly title: string;
  /** The one that `local` alone means. */
  readonly is_usual: boolean;
  readonly languages: readonly string[];
  readonly dimensions: number;
  readonly licence: string;
  readonly download_bytes: number;
  readonly disk_bytes: number;
  readonly state: 'absent' | 'installing' | 'installed' | 'failed';
  /** While it is being installed. */
  readonly done_bytes?: number;
  /** Why it failed. */
  readonly reason?:
    'registry_unreachable' | 'not_in_registry' | 'npm_missing' | 'wrong_content' | 'disk_full' | 'failed';
}

/** Whether a model makes vectors that can be searched by. */
export interface EmbeddingsTest {
  readonly ok: boolean;
  readonly ms: number;
  readonly dimensions: number | null;
  /** In each language: how near a question is to its answer, and to a sentence about something else. */
  readonly languages: readonly {
    readonly language: string;
    readonly similar: number;
    readonly different: number;
    readonly is_closer: boolean;
  }[];
  /** Why not; empty where it answered. */
  readonly message: string;
}

/** Whether a reranker puts the sentence that answers first. */
export interface RerankerTest {
  readonly ok: boolean;
  readonly ms: number;
  readonly is_right: boolean;
  readonly message: string;
}
