import type { Api } from '../api/api.ts';
import { readSetup } from '../welcome/setup-api.ts';

/** Whether something here can write; the demonstration cannot. Undefined where the service did not say. */
export const hasModel = (api: Api): Promise<boolean | undefined> =>
  readSetup(api).then(
    ({ default_model: { connector, is_demo } }) => connector !== null && !is_demo,
    () => undefined,
  );
