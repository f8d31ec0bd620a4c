import type { ResolveHook } from 'node:module';

/** Runs in the thread in which Node resolves imports; its address says what is lent and to whom. */

export interface Loan {
  /** The folders, each with a slash at its end. */
  readonly to: readonly string[];
  readonly names: readonly string[];
  /** The module in whose place the lent names are resolved. */
  readonly from: string;
}

const loan = JSON.parse(new URL(import.meta.url).searchParams.get('loan') ?? '{}') as Loan;

export const resolve: ResolveHook = (specifier, context, nextResolve) => {
  const isLent = loan.names.includes(specifier) && isBorrower(context.parentURL ?? '');
  return nextResolve(specifier, isLent ? { ...context, parentURL: loan.from } : context);
};

/** The authors' own files, not the packages they installed beside them: those bring what they need. */
function isBorrower(importer: string): boolean {
  const folder = loan.to.find((each) => importer.startsWith(each));
  return folder !== undefined && !importer.slice(folder.length).includes('node_modules/');
}
