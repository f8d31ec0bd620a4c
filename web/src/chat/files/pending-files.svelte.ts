import type { Attachment } from '../../../../src/http/contract/resources.ts';
import { isAborted } from '../../api/fault.ts';
import type { ChatApi } from '../chat-api.ts';
import type { SentFile } from '../content.ts';

export const MOST_FILES = 10;

/** What the service reads; what a file really is shows in its bytes. */
export const FILE_ENDINGS = [
  ...['.pdf', '.docx', '.pptx', '.xlsx', '.odt', '.odp', '.ods', '.epub', '.rtf'],
  ...['.txt', '.md', '.html', '.htm', '.csv', '.tsv', '.srt', '.vtt'],
];

export type FilesApi = Pick<ChatApi, 'sendFile' | 'sentFile'>;

export interface PendingFile {
  readonly key: string;
  readonly name: string;
  readonly bytes: number;
  readonly state: 'sending' | 'reading' | 'ready' | 'failed';
  /** From 0 to 1, while it is sent. */
  readonly progress: number;
  /** Why it cannot be sent. */
  readonly reason?: string | undefined;
  /** Once it can be. */
  readonly file?: SentFile | undefined;
}

interface Facts {
  readonly api: () => FilesApi | undefined;
  readonly inWords: (thrown: unknown) => string;
  /** Of one that could not be read; undefined when nobody says why. */
  readonly whyUnread: (file: Attachment) => string | undefined;
  readonly takesLong: () => string;
  /** Whatever becomes of one. */
  readonly told: (file: PendingFile) => void;
}

/** So often it is asked whether a file has been read, further and further apart: three minutes in all. */
const LOOKS = 40;
const pauseBefore = (look: number) => Math.min(500 * 1.2 ** look, 5_000);

/** Files that go with the next question: each is sent at once, and read by the service meanwhile. */
export function createPendingFiles({ api, inWords, whyUnread, takesLong, told }: Facts) {
  let all = $state.raw<readonly PendingFile[]>([]);
  const stops = new Map<string, AbortController>();
  let keys = 0;

  const change = (key: string, to: Partial<PendingFile>) => {
    all = all.map((each) => (each.key === key ? { ...each, ...to } : each));
    const now = all.find((each) => each.key === key);
    if (now && (to.state === 'ready' || to.state === 'failed')) told(now);
  };

  async function settled(sent: Attachment, with_: FilesApi, signal: AbortSignal): Promise<Attachment> {
    let now = sent;
    for (let look = 0; now.status === 'reading' && look < LOOKS; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, pauseBefore(look)));
      signal.throwIfAborted();
      now = await with_.sentFile(now.id, signal);
    }
    return now;
  }

  async function send(key: string, file: File): Promise<void> {
    const with_ = api();
    if (!with_) return;
    const { signal } = stops.get(key) ?? new AbortController();
    try {
      const onProgress = (progress: number) => {
        change(key, { progress, ...(progress === 1 ? { state: 'reading' } : {}) });
      };
      const sent = await with_.sendFile(file, { signal, onProgress });
      change(key, { state: 'reading' });
      const now = await settled(sent, with_, signal);
      const { id: file_id, status, filename, media_type, bytes } = now;
      if (status === 'ready') change(key, { state: 'ready', file: { file_id, filename, media_type, bytes } });
      else change(key, { state: 'failed', reason: whyUnread(now) ?? takesLong() });
    } catch (thrown) {
      if (!isAborted(thrown)) change(key, { state: 'failed', reason: inWords(thrown) });
    }
  }

  return {
    get all() {
      return all;
    },
    /** Whether one is still on its way. */
    get isWaiting() {
      return all.some(({ state }) => state === 'sending' || state === 'reading');
    },
    get ready(): readonly SentFile[] {
      return all.flatMap(({ file }) => file ?? []);
    },
    add(file: File): void {
      const key = String((keys += 1));
      stops.set(key, new AbortController());
      const { name, size: bytes } = file;
      all = [...all, { key, name, bytes, state: 'sending', progress: 0 }];
      void send(key, file);
    },
    remove(key: string): void {
      stops.get(key)?.abort();
      all = all.filter((each) => each.key !== key);
    },
    /** Those of a question that came back. */
    putBack(files: readonly SentFile[]): void {
      const back = files.map((file): PendingFile => {
        const key = String((keys += 1));
        return { key, name: file.filename, bytes: file.bytes, state: 'ready', progress: 1, file };
      });
      all = [...back, ...all];
    },
    clear(): void {
      all = [];
    },
  };
}
