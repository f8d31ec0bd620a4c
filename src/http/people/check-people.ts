import { z } from 'zod';
import type { Role } from '../../core/access/caller.js';
import type { ListedPerson } from './read-people.js';

export type PersonRefusal =
  'email_missing' | 'email_invalid' | 'email_twice' | 'name_too_long' | 'role_unknown' | 'role_not_given';

/** What becomes of one line. */
export type CheckedPerson = ListedPerson &
  (
    | { readonly status: 'new'; readonly given: Role }
    | { readonly status: 'exists' }
    | { readonly status: 'refused'; readonly reason: PersonRefusal; readonly message: string }
  );

const Address = z.email().max(320);
const LONGEST_NAME = 200;
/** Students come from their learning platform, never from a list. */
const ROLES: readonly string[] = ['creator', 'org_admin', 'system_admin'];
const USUAL_ROLE = 'creator';

interface Around {
  /** Addresses of the organisation's own people. */
  readonly known: ReadonlySet<string>;
  readonly mayGive: (role: Role) => boolean;
}

/** Every line is looked at before anything is made of any. */
export function checkPeople(
  people: readonly ListedPerson[],
  { known, mayGive }: Around,
): readonly CheckedPerson[] {
  const seen = new Map<string, number>();
  return people.map((person): CheckedPerson => {
    const { email, line, name } = person;
    const refused = (reason: PersonRefusal, message: string) =>
      ({ ...person, status: 'refused', reason, message }) as const;
    const role = person.role === '' ? USUAL_ROLE : person.role;
    if (email === '') return refused('email_missing', 'There is no e-mail address.');
    if (!Address.safeParse(email).success) return refused('email_invalid', 'This is no e-mail address.');
    const before = seen.get(email);
    if (before !== undefined) {
      return refused('email_twice', `The same address stands in line ${String(before)}.`);
    }
    seen.set(email, line);
    if (name.length > LONGEST_NAME) return refused('name_too_long', 'The name has more than 200 characters.');
    if (!ROLES.includes(role)) {
      return refused('role_unknown', 'The role must be creator or org_admin; empty means creator.');
    }
    if (!mayGive(role as Role))
      return refused('role_not_given', 'Only system administrators may make others.');
    if (known.has(email)) return { ...person, status: 'exists' };
    return { ...person, status: 'new', given: role as Role };
  });
}
