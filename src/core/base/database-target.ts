/** Where the service remembers: a file of its own, or a PostgreSQL server. */
export type DatabaseTarget =
  { readonly kind: 'sqlite'; readonly file: string } | { readonly kind: 'postgres'; readonly url: string };
