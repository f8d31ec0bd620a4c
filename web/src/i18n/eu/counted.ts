/** Basque does not mark the plural of what is counted; one comes after its noun. */
export const counted = (n: number, noun: string): string => (n === 1 ? `${noun} 1` : `${String(n)} ${noun}`);
