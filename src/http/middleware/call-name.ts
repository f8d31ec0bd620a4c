/** Who may cancel a call: whoever made it, with the same credential and in the same session. */
export interface CallName {
  readonly credentialId: string;
  /** What the client was told at its start; without it a call cannot be told from another client's of the same number. */
  readonly sessionId: string | undefined;
  readonly requestId: string | number;
}
