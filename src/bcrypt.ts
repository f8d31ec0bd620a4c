import { Worker } from 'node:worker_threads';

/** As other installations store them. A hash that would take minutes to check is none of theirs. */
const BCRYPT = /^\$2[aby]\$(0[4-9]|1[0-6])\$[./A-Za-z0-9]{53}$/;

const CHECK = `
  const { parentPort, workerData } = require('node:worker_threads');
  import(workerData.bcrypt).then(async ({ default: bcrypt }) => {
    parentPort.postMessage(await bcrypt.compare(workerData.password, workerData.hash));
  });
`;

export function isBcrypt(stored: string): boolean {
  return BCRYPT.test(stored);
}

/** In a thread of its own: there is no native bcrypt here, and everybody else's answers must not wait for it. */
export function verifyBcrypt(password: string, hash: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const workerData = { bcrypt: import.meta.resolve('bcryptjs'), password, hash };
    const worker = new Worker(CHECK, { eval: true, workerData, env: {}, execArgv: [] });
    worker.once('message', (matches) => {
      resolve(matches === true);
    });
    worker.once('error', reject);
    worker.once('exit', () => {
      reject(new Error('The thread that checks a password ended without an answer.'));
    });
  });
}
