/** The same value, which nobody can change any more: for what many requests share. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  Object.values(value).forEach(deepFreeze);
  return value;
}

/** A pure function of an object that never changes, worked out once for each such object. */
export function memoizeByObject<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const known = made.get(key);
    if (known) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}

/** A place for what is worked out along the way. It lasts as long as whoever holds it. */
export type Kept = Map<object, unknown>;

interface Grown<Item, Value> {
  readonly list: readonly Item[];
  readonly count: number;
  readonly value: Value;
}

/**
 * What is made of a list that grows at its end and never changes otherwise: every entry is worked on once. Nothing is kept by
 * a WeakMap here: V8 frees what that holds only when it goes through the whole heap.
 */
export function memoizeByGrowth<Item, Value>(
  begin: () => Value,
  more: (value: Value, items: readonly Item[]) => Value,
): (list: readonly Item[], kept: Kept) => Value {
  const own = {};
  return (list, kept) => {
    const known = kept.get(own) as Grown<Item, Value> | undefined;
    const { count, value } = known?.list === list ? known : { count: 0, value: begin() };
    if (count > 0 && count === list.length) return value;
    const whole = more(value, count === 0 ? list : list.slice(count));
    kept.set(own, { list, count: list.length, value: whole } satisfies Grown<Item, Value>);
    return whole;
  };
}
