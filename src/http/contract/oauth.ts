/** A program that asks to be let in, as the person is to see it. */
export interface AskingProgram {
  /** As it calls itself, which nobody vouches for; empty where it does not say. */
  readonly client_name: string;
  /** Where the person is sent once they have decided. */
  readonly redirect_uri: string;
  /** Whether that is a program on the person's own machine. */
  readonly is_local: boolean;
}

/** What became of it. */
export interface Decided {
  readonly redirect_to: string;
}

/** A program that somebody has let in. */
export interface Connection {
  readonly id: number;
  readonly client_name: string;
  readonly redirect_uri: string;
  readonly created_at: string;
  /** When it last got new tokens: every hour while it is in use. */
  readonly refreshed_at: string;
  readonly expires_at: string;
}
