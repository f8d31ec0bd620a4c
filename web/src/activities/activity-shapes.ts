/** From the most closed to the most open: who reads what students say. */
export const POLICIES = ['none', 'pseudonymous', 'named'] as const;
export type Policy = (typeof POLICIES)[number];

export interface PlacedAssistant {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** Whether it takes pictures. */
  readonly vision: boolean;
  /** Whether it answers here now. Those who learn see only those that do, and are not told the rest. */
  readonly may_use?: boolean;
  /** It can propose grades. */
  readonly evaluates?: boolean;
}

/** A link in a course, and what is behind it. */
export interface Activity {
  readonly id: number;
  readonly title: string;
  readonly course_title: string;
  readonly configured: boolean;
  readonly assistants: readonly PlacedAssistant[];
  /** Null follows the newest. */
  readonly pinned_version: number | null;
  readonly transcript_policy: Policy;
  readonly retention_days: number;
  readonly steps_visible: boolean;
  readonly evaluation: { readonly assistant_id: number } | null;
  readonly platform_id: number;
  readonly platform_name: string;
  readonly updated_at: string;
}

/** Those that can be asked. */
export const usableIn = ({ assistants }: Activity): readonly PlacedAssistant[] =>
  assistants.filter(({ may_use = true }) => may_use);

export interface Account {
  readonly email: string;
  readonly name: string;
}

export interface Consent {
  readonly needed: boolean;
  readonly given_at: string | null;
}

/** Who came from where, and what they opened. */
export interface LtiSession {
  readonly kind: 'activity' | 'deep_link';
  readonly role: 'instructor' | 'learner';
  /** May be empty: platforms need not tell. */
  readonly name: string;
  /** Of the course, as far as it is one of ours. */
  readonly locale: 'en' | 'es' | 'ca' | 'eu' | null;
  readonly platform: { readonly name: string };
  readonly course: { readonly id: string; readonly title: string } | null;
  readonly return_url: string | null;
  readonly opened_in: 'iframe' | 'window' | null;
  /** Of an instructor who has proved to have one here. */
  readonly account: Account | null;
  readonly activity: Activity | null;
  readonly consent: Consent;
  /** What the link itself asks for, while nobody has set it up. */
  readonly suggested_assistant_ids: readonly number[];
  readonly grading: { readonly available: boolean; readonly reason: string | null };
}

/** An assistant that an instructor may place. */
export interface UsableAssistant {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly owner_name: string;
  readonly version: number;
  readonly evaluates: boolean;
}

export interface ActivityChange {
  readonly assistant_ids?: readonly number[];
  readonly pinned_version?: number | null;
  readonly transcript_policy?: Policy;
  readonly retention_days?: number;
  readonly steps_visible?: boolean;
  readonly evaluation?: { readonly assistant_id: number } | null;
}

/** What goes back to the platform, signed. */
export interface Placed {
  readonly return_url: string;
  readonly jwt: string;
}
