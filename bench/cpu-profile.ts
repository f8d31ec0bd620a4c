import { readdir, readFile } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** As V8 writes it (`--cpu-prof`); times are microseconds of the monotonic clock. */
interface Profile {
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
      readonly columnNumber: number;
    };
    readonly children?: readonly number[];
  }[];
}

export interface Window {
  readonly fromUs: number;
  readonly toUs: number;
}

export const monotonicUs = (): number => Number(process.hrtime.bigint() / 1000n);

/** The profile of the main thread, which starts first. */
export async function readProfile(folder: string): Promise<Profile> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile')).sort();
  const profiles = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(join(folder, file), 'utf8')) as Profile),
  );
  const [first] = profiles.sort((a, b) => a.startTime - b.startTime);
  if (!first) throw new Error('The service wrote no profile.');
  const sources = new Map<string, SourceMap | undefined>();
  for (const { callFrame } of first.nodes)
    if (!sources.has(callFrame.url)) sources.set(callFrame.url, await sourcesOf(callFrame.url));
  return { ...first, nodes: first.nodes.map((node) => inSource(node, sources.get(node.callFrame.url))) };
}

/** Many files are built into one: what a function is of is where it was written. */
function inSource(node: Profile['nodes'][number], sources: SourceMap | undefined): Profile['nodes'][number] {
  const { lineNumber, columnNumber } = node.callFrame;
  const found = sources?.findEntry(lineNumber, columnNumber);
  if (!found || !('originalSource' in found)) return node;
  return { ...node, callFrame: { ...node.callFrame, url: found.originalSource } };
}

async function sourcesOf(url: string): Promise<SourceMap | undefined> {
  if (!url.startsWith('file:')) return undefined;
  const map = await readFile(`${fileURLToPath(url)}.map`, 'utf8').catch(() => undefined);
  return map === undefined ? undefined : new SourceMap(JSON.parse(map) as SourceMapPayload);
}

/** Which part of the thread's work, in this window, was done by or on behalf of files whose address fits. */
export function shareOf(profile: Profile, fits: RegExp, { fromUs, toUs }: Window): number {
  const { idle, within } = kindsOf(profile, fits);
  let at = profile.startTime;
  let busy = 0;
  let fitting = 0;
  profile.samples.forEach((node, i) => {
    at += profile.timeDeltas[i] ?? 0;
    if (at < fromUs || at > toUs || idle.has(node)) return;
    busy += 1;
    if (within.has(node)) fitting += 1;
  });
  return fitting / busy;
}

/** Garbage has no owner on the stack: left out, it counts for everybody in proportion. */
const NO_WORK = new Set(['(idle)', '(garbage collector)']);

function kindsOf({ nodes }: Profile, fits: RegExp) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const idle = new Set<number>();
  const within = new Set<number>();
  const visit = (id: number, isWithin: boolean): void => {
    const node = byId.get(id);
    if (!node) return;
    const fitsNow = isWithin || fits.test(node.callFrame.url);
    if (fitsNow) within.add(id);
    if (NO_WORK.has(node.callFrame.functionName)) idle.add(id);
    node.children?.forEach((child) => {
      visit(child, fitsNow);
    });
  };
  if (nodes[0]) visit(nodes[0].id, false);
  return { idle, within };
}
