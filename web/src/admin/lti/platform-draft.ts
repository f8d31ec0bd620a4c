import type { Platform } from '../../../../src/http/contract/lti.ts';
import { MASK } from '../settings/config-draft.ts';

/** What the form holds: all fields of both kinds, as texts. */
export interface PlatformDraft {
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly deployment_ids: string;
  readonly auth_login_url: string;
  readonly auth_token_url: string;
  readonly key_set_url: string;
  readonly consumer_key: string;
  readonly shared_secret: string;
  readonly site_url: string;
}

export type DraftField = keyof PlatformDraft;

export type PlatformFault = 'missing' | 'no-address';

export const FIELDS: Readonly<Record<Platform['kind'], readonly DraftField[]>> = {
  '1.3': ['issuer', 'client_id', 'deployment_ids', 'auth_login_url', 'auth_token_url', 'key_set_url'],
  '1.1': ['consumer_key', 'shared_secret', 'site_url'],
};

const OPTIONAL: ReadonlySet<DraftField> = new Set(['site_url']);

export function draftOf(platform: Platform | undefined): PlatformDraft {
  return {
    name: platform?.name ?? '',
    issuer: platform?.issuer ?? '',
    client_id: platform?.client_id ?? '',
    deployment_ids: (platform?.deployment_ids ?? []).join(', '),
    auth_login_url: platform?.auth_login_url ?? '',
    auth_token_url: platform?.auth_token_url ?? '',
    key_set_url: platform?.key_set_url ?? '',
    consumer_key: platform?.consumer_key ?? '',
    shared_secret: '',
    site_url: platform?.site_url ?? '',
  };
}

export const isAddress = (field: DraftField): boolean => field === 'issuer' || field.endsWith('_url');

/** Which fields cannot be sent as they are. A secret that is stored need not be written again. */
export function faultsOf(
  draft: PlatformDraft,
  { kind, hasSecret }: { readonly kind: Platform['kind']; readonly hasSecret: boolean },
): ReadonlyMap<DraftField, PlatformFault> {
  const needed = (['name', ...FIELDS[kind]] as const).filter(
    (field) => !(field === 'shared_secret' && hasSecret),
  );
  return new Map(
    needed.flatMap((field): [DraftField, PlatformFault][] => {
      const value = draft[field].trim();
      if (value === '') return OPTIONAL.has(field) ? [] : [[field, 'missing']];
      return isAddress(field) && !/^https?:\/\/\S+$/.test(value) ? [[field, 'no-address']] : [];
    }),
  );
}

/** As the service takes it. */
export function contentOf(draft: PlatformDraft, kind: Platform['kind']): Record<string, unknown> {
  const fields = Object.fromEntries(
    (['name', ...FIELDS[kind]] as const).map((field) => [field, draft[field].trim()]),
  );
  if (kind === '1.1') {
    return { ...fields, shared_secret: fields.shared_secret || MASK, site_url: fields.site_url || null };
  }
  const deployment_ids = draft.deployment_ids.split(/[\s,]+/).filter((id) => id !== '');
  return { ...fields, deployment_ids };
}
