export type Role = 'system_admin' | 'org_admin' | 'creator' | 'student';

/** The verified identity behind a request, built once at the door. Nothing later can change it. */
export interface Caller {
  readonly userId: number;
  readonly email: string;
  readonly name: string;
  readonly organizationId: number;
  readonly role: Role;
  readonly via: 'session' | 'api-key' | 'lti';
  /** The key or session it came with: what rate limits count, and what signing out ends. */
  readonly credentialId: string;
}
