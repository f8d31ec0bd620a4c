import { register } from 'node:module';
import { CODE, entryModule } from '../paths.js';
import type { Loan } from './resolve-hook.js';

/** What tools from elsewhere may import although they live outside: the names that package.json exports, and zod. */
const LENT = ['tool', 'errors', 'identity', 'langchain', 'message'].map((name) => `bellwether/${name}`);

/** From now on files in these folders find the modules that a tool is written with. Nothing else changes for them. */
export function lendModules(folders: readonly URL[]): void {
  if (folders.length === 0) return;
  const loan: Loan = {
    to: folders.map(({ href }) => href),
    names: [...LENT, 'zod'],
    from: CODE.href,
  };
  // In its address, not as data: Node would keep one module for all loans.
  const hooks = entryModule('src/plugins/resolve-hook.js');
  hooks.searchParams.set('loan', JSON.stringify(loan));
  register(hooks);
}
