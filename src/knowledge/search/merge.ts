/**
 * Several lists as one: at each step the head with the greatest similarity. Each list keeps its own order, which may know
 * more than the similarities do.
 */
export function mergeBySimilarity<T extends { readonly similarity: number }>(
  lists: readonly (readonly T[])[],
  most: number,
): readonly T[] {
  const places = lists.map(() => 0);
  const merged: T[] = [];
  while (merged.length < most) {
    let best: { readonly item: T; readonly list: number } | undefined;
    lists.forEach((list, i) => {
      const item = list[places[i] ?? 0];
      if (item && (!best || item.similarity > best.item.similarity)) best = { item, list: i };
    });
    if (!best) break;
    merged.push(best.item);
    places[best.list] = (places[best.list] ?? 0) + 1;
  }
  return merged;
}
