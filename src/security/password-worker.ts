import { parentPort } from 'node:worker_threads';
import { hashPassword, passwordMatches } from './password-hash.js';

/** The other side of `passwords.ts`: one password at a time, on a thread that nothing else waits for. */

export interface PasswordJob {
  readonly password: string;
  /** Whether it is the password of this hash; without one, its own hash is asked for. */
  readonly hash?: string | undefined;
  /** What a hash of its own is to cost. */
  readonly cost: number;
}

parentPort?.on('message', (job: PasswordJob) => {
  void answerTo(job).then((answer) => {
    parentPort?.postMessage(answer);
  });
});

async function answerTo({ password, hash, cost }: PasswordJob): Promise<string | boolean> {
  return hash === undefined ? hashPassword(password, cost) : passwordMatches(password, hash);
}
