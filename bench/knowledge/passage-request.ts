/** What the plain servers are asked for: to keep passages, to make their index once all are there, to find some. */
export type PassageRequest =
  | { readonly add: readonly string[] }
  | { readonly index: true }
  | { readonly find: string; readonly most: number };
