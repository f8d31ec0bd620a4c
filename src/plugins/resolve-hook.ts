import type { ResolveHook } from 'node:module';

/** Runs in the thread in which Node resolves imports; its address says what is lent and to whom. */

export interface SharedModules {
  /** The folders, each with a slash at its end. */
  readonly to: readonly string[];
  readonly names: readonly string[];
  /** The module in whose place the lent names are resolved. */
  readonly from: string;
}

const shared = JSON.parse(new URL(import.meta.url).searchParams.get('shared') ?? '{}') as SharedModules;

export const resolve: ResolveHook = (specifier, context, nextResolve) => {
  const isShared = shared.names.includes(specifier) && mayImport(context.parentURL ?? '');
  return nextResolve(specifier, isShared ? { ...context, parentURL: shared.from } : context);
};

/** The authors' own files, not the packages they installed beside them: those bring what they need. */
function mayImport(importer: string): boolean {
  const folder = shared.to.find((each) => importer.startsWith(each));
  return folder !== undefined && !importer.slice(folder.length).includes('node_modules/');
}
