// The conformance suite imports `globSync`, which came with Node 22, for a command that is not used here.
import { register } from 'node:module';

const FS = `export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];`;
const asModule = (source) => `data:text/javascript,${encodeURIComponent(source)}`;

register(
  asModule(`
    export function resolve(specifier, context, next) {
      const isSuite = specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/');
      return isSuite ? { url: ${JSON.stringify(asModule(FS))}, shortCircuit: true } : next(specifier, context);
    }
  `),
);
