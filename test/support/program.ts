import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PROJECT_ROOT, type Exit } from './child-process.js';

export interface Program {
  readonly exited: Promise<Exit & { readonly said: string }>;
  /** Everything it has said so far. */
  said(): string;
  kill(): void;
  /** Calls back whenever it says something. */
  onOutput(look: (said: string) => void): void;
}

/** Runs a built program of the project, with this environment only. */
export function startProgram(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Program {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [script, ...args], {
    cwd: PROJECT_ROOT,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  let said = '';
  const lookers: ((said: string) => void)[] = [];
  for (const pipe of [child.stdout, child.stderr]) {
    pipe.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      for (const look of lookers) look(said);
    });
  }
  const ended = async () => {
    const [code, signal] = (await once(child, 'close')) as [Exit['code'], Exit['signal']];
    return { code, signal, said };
  };
  return {
    exited: ended(),
    said: () => said,
    kill: () => child.kill('SIGKILL'),
    onOutput: (look) => lookers.push(look),
  };
}
