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

/** What a function belongs to, by itself or by whoever has called it; undefined where no work is done. */
export type PartOf = (
  frame: Profile['nodes'][number]['callFrame'],
  above: string | undefined,
) => string | undefined;

/** Which share of the thread's work, in this window, belongs to what. */
export function sharesOf(
  profile: Profile,
  partOf: PartOf,
  { fromUs, toUs }: Window,
): ReadonlyMap<string, number> {
  const parts = partsOf(profile, partOf);
  const samples = new Map<string, number>();
  let at = profile.startTime;
  let busy = 0;
  profile.samples.forEach((node, i) => {
    at += profile.timeDeltas[i] ?? 0;
    const part = parts.get(node);
    if (at < fromUs || at > toUs || part === undefined) return;
    busy += 1;
    samples.set(part, (samples.get(part) ?? 0) + 1);
  });
  return new Map([...samples].map(([part, count]) => [part, count / busy]));
}

function partsOf({ nodes }: Profile, partOf: PartOf): ReadonlyMap<number, string | undefined> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parts = new Map<number, string | undefined>();
  const visit = (id: number, above: string | undefined): void => {
    const node = byId.get(id);
    if (!node) return;
    const part = partOf(node.callFrame, above);
    parts.set(id, part);
    node.children?.forEach((child) => {
      visit(child, part);
    });
  };
  if (nodes[0]) visit(nodes[0].id, undefined);
  return parts;
}
