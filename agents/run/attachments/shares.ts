/** What each gets of so much together: what one does not need is the others'. */
export function sharesOf(needs: readonly number[], total: number): readonly number[] {
  const shares = needs.map(() => 0);
  const bySize = needs.map((need, at) => ({ need, at })).sort((a, b) => a.need - b.need);
  let left = total;
  bySize.forEach(({ need, at }, i) => {
    const share = Math.min(need, Math.floor(left / (bySize.length - i)));
    shares[at] = share;
    left -= share;
  });
  return shares;
}
