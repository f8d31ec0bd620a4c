const MOST_RANGES = 20;

/** Page numbers in order as words, such as "Pages 3–7, 9 and 12". */
export function pagesInWords(pages: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const page of pages) {
    const range = ranges.at(-1);
    if (range?.last === page - 1) range.last = page;
    else ranges.push({ first: page, last: page });
  }
  const shown = ranges
    .slice(0, MOST_RANGES)
    .map(({ first, last }) => (first === last ? String(first) : `${String(first)}–${String(last)}`));
  if (ranges.length > MOST_RANGES) shown.push('others');
  const words =
    shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}` : shown.join('');
  return `${pages.length === 1 ? 'Page' : 'Pages'} ${words}`;
}
