import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { CODE } from '../paths.js';

/** Node 22 and later; our types are those of Node 20. */
interface CompilesOnce {
  enableCompileCache?(folder: string): unknown;
}

/**
 * What is loaded from here on is compiled once for all starts. It is kept beside the code, as `npm start` has it: nobody
 * may change the one who may not change the other. Node does without where it cannot write there, and takes the folder in
 * NODE_COMPILE_CACHE if there is one.
 */
export function keepCompiledCode(): void {
  const { enableCompileCache } = module as CompilesOnce;
  enableCompileCache?.(fileURLToPath(new URL('.compile-cache', CODE)));
}
