import type { SearchState } from '../../../../src/http/contract/admin.ts';
import { poll } from '../../api/poll.ts';
import type { AdminApi } from '../admin-api.ts';

const LOOK_EVERY_MS = 1_500;
/** What was just saved or asked for takes a moment to begin. */
const LOOKS_AFTER_A_CHANGE = 4;

/** How far the search of an organisation is, asked for again only while something is under way. */
export function createSearchState(admin: Pick<AdminApi, 'search'>, organizationId: number) {
  let state = $state.raw<SearchState>();
  let fault = $state.raw<unknown>();
  let looksLeft = $state(0);
  const isUnderWay = $derived(
    (state?.documents.waiting ?? 0) > 0 ||
      (state?.local_models.some((model) => model.state === 'installing') ?? false) ||
      looksLeft > 0,
  );

  async function load(): Promise<void> {
    try {
      state = await admin.search(organizationId);
      fault = undefined;
      looksLeft = Math.max(0, looksLeft - 1);
    } catch (thrown) {
      fault = thrown;
      looksLeft = 0;
    }
  }

  return {
    get value() {
      return state;
    },
    get fault() {
      return fault;
    },
    load,
    /** Something has been changed: look now, and a few times more. */
    async changed(): Promise<void> {
      looksLeft = LOOKS_AFTER_A_CHANGE;
      await load();
    },
    /** For an effect: ends by itself when nothing is under way. */
    watch: () => (isUnderWay && fault === undefined ? poll(load, LOOK_EVERY_MS) : undefined),
  };
}
