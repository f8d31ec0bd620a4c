import type { SourceFault } from '../../core/knowledge/source-faults.js';
import { faultOf } from './faults.js';

/** Something at a source that can be a document. */
export interface SourceItem {
  /** What the source knows it by: the same at every run. */
  readonly key: string;
  /** With an ending that tells what it is. */
  readonly name: string;
  /** Another one when its bytes are others; undefined where only asking for it tells. */
  readonly version?: string | undefined;
  /** Where people find it. */
  readonly url?: string | undefined;
}

export interface Listing {
  readonly items: readonly SourceItem[];
  /** How many were left out on purpose: they cannot be read, or are not everybody's to see. */
  readonly skipped: number;
  /** Why these are not all there are; nothing is removed then. */
  readonly cut?: SourceFault;
}

/** An item that is new or may have changed, with the version that is here. */
export interface WantedItem extends SourceItem {
  readonly known?: string | undefined;
}

/** What became of asking for an item. */
export type Brought = { readonly item: WantedItem } & (
  | {
      readonly outcome: 'brought';
      readonly name: string;
      readonly version: string | undefined;
      readonly bytes: AsyncIterable<Uint8Array>;
    }
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'gone' }
  | { readonly outcome: 'failed'; readonly fault: SourceFault }
);

/** Reads one source. What it throws ends the run; an item that fails is told, and the others go on. */
export interface SourceReader {
  list(signal: AbortSignal): Promise<Listing>;
  bring(wanted: readonly WantedItem[], signal: AbortSignal): AsyncIterable<Brought>;
}

/** What one run may take, so that no source keeps a process busy or fills a disk. */
export interface SourceLimits {
  readonly items: number;
  readonly pages: number;
  /** Of one document. */
  readonly bytes: number;
  /** Of all that one run brings. */
  readonly runBytes: number;
  readonly runMs: number;
}

export const SOURCE_LIMITS: Omit<SourceLimits, 'bytes'> = {
  items: 2_000,
  pages: 200,
  runBytes: 1024 * 1024 * 1024,
  runMs: 30 * 60_000,
};

/** Cuts a listing to what one run may take. */
export function cutTo(most: number, { items, skipped, cut }: Listing): Listing {
  if (items.length <= most) return { items, skipped, ...(cut === undefined ? {} : { cut }) };
  const words = `It has ${String(items.length)} documents, and ${String(most)} are taken at most. Choose a part of it, such as a folder.`;
  const fault = faultOf('too_many_documents', words, items.length, most);
  return { items: items.slice(0, most), skipped, cut: cut ?? fault };
}
