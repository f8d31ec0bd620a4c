import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { listsOf, type List, type Who } from './flat-lists.js';
import { LARGE, makeLarge, SMALL, type LargeDatabase } from './large-database.js';
import type { Sizes } from './large-rows.js';

/**
 * How long each list takes on a small and on a large database, largest pages, at their beginning, middle and end.
 *
 *   npm run bench:flat -- [--only text] [--json file] [--small postgres://… --large postgres://…]
 */

const WITHIN_MS = 100;
const WARM_UPS = 2;
const ROUNDS = 7;
const FILES = 2_000;
const KEY = 'bw_bench_0123456789abcdef0123456789abcdef';

interface Contender {
  readonly url: string;
  readonly pid: number;
  readonly lists: ReadonlyMap<string, List>;
  readonly keys: Readonly<Record<Who, string>>;
}

interface Figure {
  readonly route: string;
  readonly caller: Who;
  readonly page: string;
  readonly smallMs: number;
  readonly largeMs: number;
  /** Of the service, all its threads: what holds when the machine has other things to do. */
  readonly smallCpuMs: number;
  readonly largeCpuMs: number;
  readonly rows: number;
  readonly holds: boolean;
}

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    json: { type: 'string' },
    small: { type: 'string' },
    large: { type: 'string' },
  },
});
const dispatcher = new Agent();
const children: ChildProcess[] = [];
const home = await mkdtemp(join(tmpdir(), 'bellwether-flat-'));

async function start(name: string, sizes: Sizes, url: string | undefined): Promise<Contender> {
  const dataDir = join(home, name);
  const database = await makeLarge(url ?? dataDir, sizes, (line) =>
    process.stderr.write(`${name} ${line}\n`),
  );
  await makeFiles(dataDir, database, Math.min(FILES, sizes.assistants));
  const child = spawn(process.execPath, ['dist/src/main.js'], {
    env: {
      ...{ PATH: process.env['PATH'], PORT: '0', DATA_DIR: dataDir, RATE_LIMIT: '0', DEMO_DATA: 'false' },
      ADMIN_API_KEY: KEY,
      ...(url === undefined ? {} : { DATABASE_URL: url }),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const { keys } = database;
  return {
    url: await addressOf(child),
    pid: child.pid ?? 0,
    lists: new Map(listsOf(database, sizes).map((list) => [nameOf(list, database), list])),
    keys: { 'system admin': KEY, 'org admin': keys.orgAdmin, busy: keys.busy, quiet: keys.quiet },
  };
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('The service has no output.');
  for await (const line of createInterface({ input: stdout })) {
    const { url } = (line.startsWith('{') ? JSON.parse(line) : {}) as { url?: string };
    if (url === undefined) continue;
    stdout.resume();
    return url;
  }
  throw new Error('The service ended before it listened.');
}

async function makeFiles(dataDir: string, { busyId }: LargeDatabase, howMany: number): Promise<void> {
  const folder = join(dataDir, 'files', String(busyId));
  await mkdir(folder, { recursive: true });
  for (let n = 0; n < howMany; n++) await writeFile(join(folder, `note-${String(n)}.md`), 'A note.');
}

/** The same in both databases, whatever the ids. */
const nameOf = ({ path }: List, { assistantId }: LargeDatabase) =>
  path.replace(`/${String(assistantId)}/`, '/:id/');

function cpuMs(pid: number): number {
  const tasks = `/proc/${String(pid)}/task`;
  const ran = (task: string) => Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]);
  return readdirSync(tasks).reduce((sum, task) => sum + ran(task), 0) / 1e6;
}

async function ask({ url, pid, keys }: Contender, path: string, who: Who) {
  const [began, ran] = [performance.now(), cpuMs(pid)];
  const answer = await request(url + path, {
    dispatcher,
    headers: { authorization: `Bearer ${keys[who]}` },
  });
  const text = await answer.body.text();
  const [ms, cpu] = [performance.now() - began, cpuMs(pid) - ran];
  if (answer.statusCode !== 200) throw new Error(`${path} for ${who}: ${String(answer.statusCode)} ${text}`);
  const { data, messages } = JSON.parse(text) as { data?: unknown[]; messages?: unknown[] };
  return { ms, cpu, rows: (data ?? messages ?? []).length };
}

const PAGES: Readonly<Record<string, number | undefined>> = { first: undefined, middle: 0.5, last: 1 };

function addressIn(list: List, page: string): string {
  const part = PAGES[page];
  if (!list.cursorAt) return list.path;
  const cursor = part === undefined ? '' : `&cursor=${list.cursorAt(part)}`;
  return `${list.path}${list.path.includes('?') ? '&' : '?'}limit=200${cursor}`;
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

async function measure(
  route: string,
  who: Who,
  page: string,
  both: readonly [Contender, Contender],
): Promise<Omit<Figure, 'route' | 'caller' | 'page' | 'holds'>> {
  const asked: Awaited<ReturnType<typeof ask>>[][] = [[], []];
  for (let round = -WARM_UPS; round < ROUNDS; round++) {
    for (const [i, contender] of both.entries()) {
      const list = contender.lists.get(route);
      if (!list) throw new Error(`No list ${route}`);
      const answer = await ask(contender, addressIn(list, page), who);
      if (round >= 0) asked[i]?.push(answer);
    }
  }
  const of = (i: number, figure: 'ms' | 'cpu') =>
    Number(median((asked[i] ?? []).map((answer) => answer[figure])).toFixed(1));
  return {
    ...{ smallMs: of(0, 'ms'), largeMs: of(1, 'ms'), smallCpuMs: of(0, 'cpu'), largeCpuMs: of(1, 'cpu') },
    rows: asked[1]?.[0]?.rows ?? 0,
  };
}

async function measureAll(both: readonly [Contender, Contender]): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [route, list] of both[1].lists) {
    if (!route.includes(options.only)) continue;
    for (const caller of list.callers) {
      for (const page of list.cursorAt ? Object.keys(PAGES) : ['whole']) {
        const figure = await measure(route, caller, page, both);
        figures.push({ route, caller, page, ...figure, holds: figure.largeMs < WITHIN_MS });
      }
    }
    process.stderr.write(`${route}\n`);
  }
  return figures;
}

try {
  const small = await start('small', SMALL, options.small);
  const large = await start('large', LARGE, options.large);
  const figures = await measureAll([small, large]);
  console.table(
    figures.map(({ holds, ...figure }) => ({ ...figure, '< 100 ms': holds ? 'pass' : 'falls short' })),
  );
  const short = figures.filter(({ holds }) => !holds);
  console.log(
    `${String(figures.length - short.length)} of ${String(figures.length)} within ${String(WITHIN_MS)} ms.`,
  );
  if (options.json !== undefined) {
    await writeFile(options.json, JSON.stringify({ sizes: LARGE, withinMs: WITHIN_MS, figures }, null, 2));
  }
} finally {
  for (const child of children) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await dispatcher.close();
  await rm(home, { recursive: true, force: true });
}
