// Loaded into the service before its first module: while the file named by FULL_DISK exists, its disk takes nothing more.
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';

const handle = await open(process.execPath);
const files = Object.getPrototypeOf(handle);
await handle.close();

const { appendFile } = files;
files.appendFile = async function appendUnlessFull(...given) {
  if (!existsSync(process.env['FULL_DISK'] ?? '')) return appendFile.apply(this, given);
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 });
};
