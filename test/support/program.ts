import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { atTheEnd } from './at-the-end.js';
import { PROJECT_ROOT, type Exit } from './child-process.js';

/** `said` is all of it, in the order it came; `out` and `err` are its two streams. */
export interface Ended extends Exit {
  readonly said: string;
  readonly out: string;
  readonly err: string;
}

export interface Program {
  readonly exited: Promise<Ended>;
  /** Everything it has said so far. */
  said(): string;
  kill(): void;
  /** Calls back whenever it says something. */
  onOutput(look: (said: string) => void): void;
}

const PATIENCE_MS = 20_000;

type Env = Readonly<Record<string, string>>;

/** Runs a built program of the project, with this environment and this input only. */
export function startProgram(script: string, args: readonly string[], env: Env, input = ''): Program {
  const { child, ...program } = started(process.execPath, [script, ...args], env);
  // One that ends without having read it is none of the test's concern.
  child.stdin.on('error', () => undefined).end(input);
  return program;
}

let programs: ChildProcess | undefined;
let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * The same in one process for many, which run in turn: most of what a program takes is to load what it shares with others.
 * For those of which another test shows that they start and end by themselves.
 */
export function runInTurn(script: string, args: readonly string[], env: Env, input = ''): Promise<Ended> {
  const mine = lastTurn.then(() => {
    const running = (programs ??= startPrograms());
    return new Promise<Ended>((resolve, reject) => {
      const broken = (code: number | null) => {
        reject(new Error(`${script} ended the process of them all with ${String(code)}.`));
      };
      running.once('exit', broken).once('message', (ended) => {
        running.off('exit', broken);
        resolve(ended as Ended);
      });
      running.send({ script, args, env: { ...inherited(), ...env }, input });
    });
  });
  lastTurn = mine.catch(() => undefined);
  return mine;
}

function startPrograms(): ChildProcess {
  const started = fork(join(PROJECT_ROOT, 'test/support/runner/programs-process.mjs'), {
    ...{ cwd: PROJECT_ROOT, env: inherited(), execArgv: [] },
  });
  started.unref();
  started.channel?.unref();
  atTheEnd(async () => {
    started.disconnect();
    await once(started, 'exit');
  });
  return started;
}

function inherited() {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME };
}

export interface TerminalProgram extends Program {
  /** As on a keyboard. */
  type(text: string): void;
  /** Until this has been said, after what was waited for last. */
  waitFor(text: string): Promise<void>;
}

/** The same on a terminal of its own, by `script` of util-linux. */
export function startInTerminal(script: string, args: readonly string[], env: Env): TerminalProgram {
  const quoted = [process.execPath, script, ...args].map((word) => `'${word}'`).join(' ');
  const { child, ...program } = started('script', ['-qec', `exec ${quoted}`, '/dev/null'], {
    TERM: 'xterm',
    ...env,
  });
  let seen = 0;
  return {
    ...program,
    type: (text) => child.stdin.write(text),
    waitFor: (text) =>
      new Promise((resolve, reject) => {
        let isFound = false;
        const look = (said: string) => {
          const at = isFound ? -1 : said.indexOf(text, seen);
          if (at === -1) return;
          isFound = true;
          seen = at + text.length;
          resolve();
        };
        program.onOutput(look);
        look(program.said());
        const giveUp = (why: string) => () => {
          reject(new Error(`${why} without saying "${text}". It said:\n${program.said()}`));
        };
        setTimeout(giveUp('It went on'), PATIENCE_MS).unref();
        void program.exited.then(giveUp('It ended'));
      }),
  };
}

function started(command: string, args: readonly string[], env: Env) {
  const child = spawn(command, args, {
    cwd: PROJECT_ROOT,
    env: { ...inherited(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  const heard = { said: '', out: '', err: '' };
  const lookers: ((said: string) => void)[] = [];
  for (const [name, pipe] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ] as const) {
    pipe.setEncoding('utf8').on('data', (text: string) => {
      heard[name] += text;
      heard.said += text;
      for (const look of lookers) look(heard.said);
    });
  }
  const ended = async () => {
    const [code, signal] = (await once(child, 'close')) as [Exit['code'], Exit['signal']];
    return { code, signal, ...heard };
  };
  return {
    child,
    exited: ended(),
    said: () => heard.said,
    kill: () => {
      child.kill('SIGKILL');
    },
    onOutput: (look: (said: string) => void) => {
      lookers.push(look);
    },
  };
}
