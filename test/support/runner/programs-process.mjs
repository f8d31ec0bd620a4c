// Runs one program after another, each as if this process was its own, and tells the process that asks for them what came of it.
import { resolve } from 'node:path';
import process from 'node:process';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const SIGNALS = ['SIGINT', 'SIGTERM'];
const streams = { out: process.stdout, err: process.stderr };
let turn = 0;

process.on('message', async (wanted) => {
  const said = heard();
  prepare(wanted);
  try {
    // What it shares with the others is there already; it is loaded anew itself, as if for the first time.
    await import(`${pathToFileURL(resolve(wanted.script)).href}?${++turn}`);
  } catch (fault) {
    process.stderr.write(`${fault.stack}\n`);
    process.exitCode = 1;
  }
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  for (const stream of Object.values(streams)) stream.removeAllListeners('error');
  process.send({ code: process.exitCode ?? 0, signal: null, ...said });
});
process.once('disconnect', () => process.exit());

function prepare({ script, args, env, input }) {
  process.argv = [process.execPath, resolve(script), ...args];
  process.exitCode = undefined;
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)]);
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
}

/** Fills with what is said from now on. */
function heard() {
  const all = { said: '', out: '', err: '' };
  for (const [name, stream] of Object.entries(streams)) {
    stream.write = (text, ...more) => {
      all.said += text;
      all[name] += text;
      more.findLast((each) => typeof each === 'function')?.();
      return true;
    };
  }
  return all;
}
