#!/usr/bin/env node
// What `npx bellwether` runs. It is not built, because npm marks it as a program where it lies, and a build writes anew.
import { existsSync } from 'node:fs';

const built = new URL('../../dist/src/cli/main.js', import.meta.url);

if (existsSync(built)) await import(built.href);
else {
  process.stderr.write('Bellwether is not built yet. Run "npm start" once, in the folder of the project.\n');
  process.exitCode = 1;
}
