import type { UploadOptions } from '../api/api.ts';
import { isAborted } from '../api/fault.ts';

/** More at once would only share the same line. */
const AT_A_TIME = 2;

/** A file on its way, or several in one request. Those that have arrived are no longer here. */
export interface Upload {
  readonly id: number;
  readonly place: string;
  /** Of the first of them. */
  readonly name: string;
  readonly files: number;
  readonly state: 'waiting' | 'sending' | 'failed';
  /** From 0 to 1. */
  readonly sent: number;
  readonly fault: unknown;
}

/** Ends when the file has arrived. */
export type SendFile = (file: File, options: UploadOptions) => Promise<unknown>;
export type SendFiles = (files: readonly File[], options: UploadOptions) => Promise<unknown>;

export interface Uploads {
  /** Where they go to, such as `collection 7`. */
  of(place: string): readonly Upload[];
  readonly areUnderWay: boolean;
  add(place: string, files: readonly File[], send: SendFile): void;
  /** Each group goes in one request. */
  addGroups(place: string, groups: readonly (readonly File[])[], send: SendFiles): void;
  /** What did not get there, although the request it was in did. */
  addFailed(place: string, name: string, fault: unknown): void;
  /** Stops it, or puts it away when it has failed. */
  remove(id: number): void;
}

interface Entry {
  readonly send: (options: UploadOptions) => Promise<unknown>;
  readonly leaving: AbortController;
}

/** Goes on while its owner looks at other pages. */
export function createUploads(): Uploads {
  let all = $state.raw<readonly Upload[]>([]);
  let latest = 0;
  const entries = new Map<number, Entry>();

  const change = (id: number, to: Partial<Upload>) => {
    all = all.map((upload) => (upload.id === id ? { ...upload, ...to } : upload));
  };
  const drop = (id: number) => {
    entries.delete(id);
    all = all.filter((upload) => upload.id !== id);
  };

  async function begin({ id }: Upload): Promise<void> {
    const entry = entries.get(id);
    if (!entry) return;
    change(id, { state: 'sending' });
    try {
      await entry.send({
        signal: entry.leaving.signal,
        onProgress: (sent) => {
          change(id, { sent });
        },
      });
      drop(id);
    } catch (fault) {
      if (isAborted(fault)) drop(id);
      else change(id, { state: 'failed', fault });
    }
    beginNext();
  }

  function beginNext(): void {
    const free = AT_A_TIME - all.filter(({ state }) => state === 'sending').length;
    for (const upload of all.filter(({ state }) => state === 'waiting').slice(0, Math.max(free, 0))) {
      void begin(upload);
    }
  }

  function addGroups(place: string, groups: readonly (readonly File[])[], send: SendFiles): void {
    const added = groups.map((files): Upload => {
      const id = ++latest;
      entries.set(id, { send: (options) => send(files, options), leaving: new AbortController() });
      return { ...begun(id, place, files[0]?.name ?? ''), files: files.length };
    });
    all = [...all, ...added];
    beginNext();
  }

  return {
    of: (place) => all.filter((upload) => upload.place === place),
    get areUnderWay() {
      return all.some(({ state }) => state !== 'failed');
    },
    add(place, files, send) {
      addGroups(
        place,
        files.map((file) => [file]),
        async (group, options) => {
          for (const file of group) await send(file, options);
        },
      );
    },
    addGroups,
    addFailed(place, name, fault) {
      all = [...all, { ...begun(++latest, place, name), state: 'failed', fault }];
    },
    remove(id) {
      entries.get(id)?.leaving.abort();
      drop(id);
      beginNext();
    },
  };
}

const begun = (id: number, place: string, name: string): Upload => ({
  ...{ id, place, name, files: 1 },
  ...{ state: 'waiting', sent: 0, fault: undefined },
});
