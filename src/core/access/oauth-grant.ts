import type { Page, PageRequest, Timestamp } from '../base/ids.js';

/** That somebody has let a program act in their name at one resource. */
export interface OAuthGrant {
  readonly id: number;
  readonly userId: number;
  /** As the program calls itself: nobody vouches for it. */
  readonly clientName: string;
  readonly redirectUri: string;
  readonly createdAt: Timestamp;
  /** When its tokens were made last. */
  readonly refreshedAt: Timestamp;
  /** From then on it is over, unless its tokens are made anew before. */
  readonly expiresAt: Timestamp;
}

/** What was agreed to, and what the program must show for it. */
export interface AgreedGrant {
  readonly userId: number;
  readonly clientHash: string;
  readonly clientName: string;
  readonly redirectUri: string;
  /** The address that its tokens are for (RFC 8707). */
  readonly resource: string;
  readonly codeHash: string;
  /** BASE64URL(SHA256(verifier)), RFC 7636. */
  readonly codeChallenge: string;
  readonly expiresAt: Timestamp;
}

export type TradedGrant = AgreedGrant & { readonly id: number };

/** The hashes of what a program holds from one round to the next. */
export interface TokenRound {
  readonly accessHash: string;
  readonly accessExpiresAt: Timestamp;
  readonly expiresAt: Timestamp;
}

/** A family of tokens: all that came of one consent. */
export interface TokenFamily {
  readonly id: number;
  readonly userId: number;
  readonly clientHash: string;
  readonly resource: string;
  /** Of the newest refresh token. */
  readonly round: number;
  readonly refreshedAt: Timestamp;
  readonly expiresAt: Timestamp;
}

/** Of codes and tokens only hashes are stored. */
export interface OAuthGrantStore {
  agree(grant: AgreedGrant): Promise<number>;
  /**
   * The code's one use, whatever comes of it. One that was traded before leads to what came of it: one of the two who had
   * the code was not meant to have it.
   */
  trade(
    codeHash: string,
    familyHash: string,
    now: Timestamp,
  ): Promise<TradedGrant | { readonly usedBefore: Pick<TokenFamily, 'id' | 'userId'> } | undefined>;
  /** The first tokens of a code that was traded. */
  begin(id: number, tokens: TokenRound): Promise<void>;
  family(familyHash: string): Promise<TokenFamily | undefined>;
  /** False when this round was over already: somebody else has made the next one. */
  refresh(id: number, round: number, tokens: TokenRound): Promise<boolean>;
  /** By an access token; undefined when there is none such. */
  holding(accessHash: string): Promise<Pick<TokenFamily, 'id' | 'userId' | 'clientHash'> | undefined>;
  /** Those that have tokens. */
  list(userId: number, page: PageRequest): Promise<Page<OAuthGrant>>;
  /** With all tokens. False when it is not this user's or gone. */
  end(userId: number, id: number): Promise<boolean>;
  /** Codes that nobody came for, and what was not used for long. */
  sweep(now: Timestamp): Promise<number>;
}
