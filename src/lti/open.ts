import type { SecretBox } from '../core/organizations/secret-box.js';
import type { Stores } from '../core/stores.js';
import { createOwnKeys, type OwnKeys } from './keys.js';
import type { LtiProtocol } from './protocol.js';

/** What speaks LTI with platforms, and by which keys. */
export interface Lti {
  /** Where platforms find this service; without a slash at its end. */
  readonly publicUrl: string;
  readonly keys: OwnKeys;
  /** Loaded when a platform first comes. */
  protocol(): Promise<LtiProtocol>;
}

interface Deps {
  readonly stores: Pick<Stores, 'ltiKeys'>;
  readonly box: SecretBox;
  /** For addresses that an administrator has set. */
  readonly fetch: typeof fetch;
  readonly publicUrl: string;
}

export function openLti({ stores, box, fetch, publicUrl }: Deps): Lti {
  const now = () => Date.now();
  let loading: Promise<LtiProtocol> | undefined;

  const load = async () => {
    // With what signs and verifies, which takes a while and which most starts never need.
    const { createLtiProtocol } = await import('./protocol.js');
    return createLtiProtocol({ fetch, now, publicUrl, signingKey: () => keys.signing() });
  };
  const protocol = () => {
    loading ??= load().catch((fault: unknown) => {
      loading = undefined;
      throw fault;
    });
    return loading;
  };
  const makeKey = async () => (await protocol()).makeKey();
  const keys = createOwnKeys({ ltiKeys: stores.ltiKeys, box, makeKey, now });
  return { publicUrl, keys, protocol };
}
