// What comes with the language is the same for all files that a process tests: a library that puts its own in the place
// of it would change what the files after it see, and how fast.
const owners = Object.entries(Object.getOwnPropertyDescriptors(globalThis))
  .filter(
    ([name, { value }]) => /^[A-Z]/.test(name) && (typeof value === 'function' || typeof value === 'object'),
  )
  .flatMap(([name, { value }]) => [
    { name, owner: value },
    ...(value.prototype ? [{ name: `${name}.prototype`, owner: value.prototype }] : []),
  ])
  .map((one) => ({ ...one, members: Object.getOwnPropertyDescriptors(one.owner) }));

/** Puts back what was replaced, and names it. */
export function restoreBuiltins() {
  return owners.flatMap(({ name, owner, members }) =>
    Reflect.ownKeys(members)
      .filter((key) => !isSame(Object.getOwnPropertyDescriptor(owner, key), members[key]))
      .map((key) => {
        Object.defineProperty(owner, key, members[key]);
        return `${name}.${String(key)}`;
      }),
  );
}

function isSame(now, before) {
  return now?.get === before.get && now?.set === before.set && Object.is(now?.value, before.value);
}
