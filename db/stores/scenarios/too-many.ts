/** Takes a transaction back, for there would be too many. */
export const TOO_MANY = new Error('There are too many already.');

export function unlessTooMany(fault: unknown): 'too many' {
  if (fault === TOO_MANY) return 'too many';
  throw fault;
}
