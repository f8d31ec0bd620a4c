import type { AccessPolicy } from '../../core/access/access.js';
import { denialOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import { forbidden, notFound } from '../../core/errors.js';
import type { StoredRubric } from '../../core/rubrics/rubric.js';
import type { Stores } from '../../core/stores.js';

/** Finds rubrics for routes. What a caller may not read does not exist for them; that they tried is kept. */
export interface RubricLookup {
  toSee(id: string, caller: Caller, action: string): Promise<StoredRubric>;
  toEdit(id: string, caller: Caller, action: string): Promise<StoredRubric>;
}

export type RubricLookupDeps = Pick<Stores, 'rubrics' | 'audit'> & { readonly policy: AccessPolicy };

export function createRubricLookup({ rubrics, audit, policy }: RubricLookupDeps): RubricLookup {
  const deny = (caller: Caller, id: string, action: string, reason: string) =>
    audit.record(denialOf(caller, { action, resource: `rubric ${id}`, reason }));

  const toSee = async (id: string, caller: Caller, action: string): Promise<StoredRubric> => {
    const rubric = await rubrics.get(id);
    if (!rubric) throw notFound('The rubric');
    const verdict = policy.maySeeRubric(caller, rubric);
    if (verdict.allowed) return rubric;
    await deny(caller, rubric.id, action, verdict.reason);
    throw notFound('The rubric');
  };

  return {
    toSee,
    async toEdit(id, caller, action) {
      const rubric = await toSee(id, caller, action);
      const verdict = policy.mayEditRubric(caller, rubric);
      if (verdict.allowed) return rubric;
      await deny(caller, rubric.id, action, verdict.reason);
      throw forbidden(verdict.reason);
    },
  };
}
