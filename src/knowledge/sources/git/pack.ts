import { createHash } from 'node:crypto';
import { inflate, type InputType, type ZlibOptions } from 'node:zlib';
import { tooLarge } from '../../../core/errors.js';
import { refusal } from '../faults.js';

/** What a repository consists of, by the hash of its content; tags are of no interest here. */
export interface GitObject {
  readonly type: 'commit' | 'tree' | 'blob' | 'tag';
  readonly content: Buffer;
}

const TYPES: Readonly<Record<number, GitObject['type']>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
const OFS_DELTA = 6;
const REF_DELTA = 7;
/** More are not asked for at once. */
const MOST_OBJECTS = 200_000;
const HASH_BYTES = 20;

const damaged = () => refusal('git_damaged', 'The repository sent something that is no Git pack.');
/** Told apart from a pack that is damaged: a part of it may still be had by itself. */
const tooMuch = () => tooLarge('It is larger than what can be taken.');

/** One object as it lies in a pack: whole, or as changes to another. */
interface Entry {
  readonly offset: number;
  readonly type: number;
  readonly data: Buffer;
  readonly base?: number | string;
}

/** The objects of a pack (gitformat-pack), as long as all they unpack to is at most so many bytes. */
export async function readPack(pack: Buffer, mostBytes: number): Promise<ReadonlyMap<string, GitObject>> {
  if (pack.length < 12 + HASH_BYTES || pack.toString('latin1', 0, 4) !== 'PACK' || pack.readUInt32BE(4) !== 2)
    throw damaged();
  const count = pack.readUInt32BE(8);
  if (count > MOST_OBJECTS) throw tooMuch();
  const body = pack.subarray(0, pack.length - HASH_BYTES);
  const budget = { left: mostBytes };
  const byOffset = new Map<number, GitObject>();
  const byHash = new Map<string, GitObject>();
  const changes: Entry[] = [];
  let at = 12;
  for (let n = 0; n < count; n++) {
    const { entry, end } = await readEntry(body, at, budget);
    at = end;
    const type = TYPES[entry.type];
    if (type) keep(entry.offset, { type, content: entry.data }, { byOffset, byHash });
    else changes.push(entry);
  }
  resolveChanges(changes, { byOffset, byHash }, budget);
  return byHash;
}

interface Known {
  readonly byOffset: Map<number, GitObject>;
  readonly byHash: Map<string, GitObject>;
}

function keep(offset: number, object: GitObject, { byOffset, byHash }: Known): void {
  byOffset.set(offset, object);
  const header = `${object.type} ${String(object.content.length)}\0`;
  byHash.set(createHash('sha1').update(header).update(object.content).digest('hex'), object);
}

/** A base may itself be changes to another, in any order. */
function resolveChanges(changes: readonly Entry[], known: Known, budget: { left: number }): void {
  let waiting = changes;
  while (waiting.length > 0) {
    const rest = waiting.filter(({ offset, data, base }) => {
      const on = typeof base === 'number' ? known.byOffset.get(base) : known.byHash.get(base ?? '');
      if (!on) return true;
      keep(offset, { type: on.type, content: applyDelta(on.content, data, budget) }, known);
      return false;
    });
    if (rest.length === waiting.length) throw damaged();
    waiting = rest;
  }
}

async function readEntry(pack: Buffer, offset: number, budget: { left: number }) {
  let at = offset;
  let byte = byteAt(pack, at++);
  const type = (byte >> 4) & 7;
  let size = byte & 15;
  for (let factor = 16; byte & 0x80; factor *= 128) {
    byte = byteAt(pack, at++);
    size += (byte & 0x7f) * factor;
  }
  if (size > budget.left) throw tooMuch();
  budget.left -= size;
  let base: number | string | undefined;
  if (type === OFS_DELTA) {
    byte = byteAt(pack, at++);
    let back = byte & 0x7f;
    while (byte & 0x80) {
      byte = byteAt(pack, at++);
      back = (back + 1) * 128 + (byte & 0x7f);
    }
    base = offset - back;
  } else if (type === REF_DELTA) {
    base = pack.toString('hex', at, at + HASH_BYTES);
    at += HASH_BYTES;
  } else if (!TYPES[type]) throw damaged();
  const { data, used } = await inflated(pack.subarray(at), size);
  return { entry: { offset, type, data, ...(base === undefined ? {} : { base }) }, end: at + used };
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw damaged();
  return byte;
}

type InflateWithFacts = (
  input: InputType,
  options: ZlibOptions,
  done: (
    fault: Error | null,
    result: { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } },
  ) => void,
) => void;

/** Off this thread, and never more than the object says it is: what follows it in the pack is left alone. */
function inflated(bytes: Buffer, size: number): Promise<{ readonly data: Buffer; readonly used: number }> {
  return new Promise((resolve, reject) => {
    const options = { info: true, maxOutputLength: Math.max(size, 1) };
    (inflate as unknown as InflateWithFacts)(bytes, options, (fault, result) => {
      if (fault || result.buffer.length !== size) reject(damaged());
      else resolve({ data: result.buffer, used: result.engine.bytesWritten });
    });
  });
}

/** Copies from the base and inserts, one after the other (gitformat-pack, "deltified representation"). */
function applyDelta(base: Buffer, delta: Buffer, budget: { left: number }): Buffer {
  let at = 0;
  const length = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = byteAt(delta, at++);
      value += (byte & 0x7f) * factor;
      if (!(byte & 0x80)) return value;
    }
  };
  /** As many little-endian bytes as the bits say. */
  const number = (bits: number, most: number) => {
    let value = 0;
    for (let n = 0; n < most; n++) if (bits & (1 << n)) value += byteAt(delta, at++) * 2 ** (8 * n);
    return value;
  };
  if (length() !== base.length) throw damaged();
  const size = length();
  if (size > budget.left) throw tooMuch();
  budget.left -= size;
  const result = Buffer.alloc(size);
  let written = 0;
  while (at < delta.length) {
    const op = byteAt(delta, at++);
    let part: Buffer;
    if (op & 0x80) {
      const from = number(op & 0x0f, 4);
      const copied = number((op >> 4) & 0x07, 3) || 0x10000;
      part = base.subarray(from, from + copied);
    } else {
      part = delta.subarray(at, at + op);
      at += op;
    }
    if (part.length === 0 || written + part.length > size) throw damaged();
    written += part.copy(result, written);
  }
  if (written !== size) throw damaged();
  return result;
}
