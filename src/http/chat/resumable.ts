import type { ServerResponse } from 'node:http';
import type { Run } from '../../../agents/run-assistant.js';
import type { Speaker } from '../../core/runs/conversation.js';
import type { Answer, Ending } from '../../core/runs/event.js';
import type { ResumableRun } from '../../core/runs/run-frames.js';
import type { FollowRun } from '../../runs/frame-reader.js';
import type { FrameLog, FrameWriter as RunFrameWriter } from '../../runs/frame-writer.js';
import { signalOfLeaving } from '../middleware/request-facts.js';
import type { Frames } from './openai-wire.js';
import { numbered, sendFrames } from './run-frames.js';
import {
  ChunkWriter,
  drainOrClose,
  type FrameWriter,
  STREAM_HEADERS,
  type StreamOptions,
  tellRun,
} from './sse.js';

export interface ResumableDeps {
  readonly frameWriter: RunFrameWriter;
  readonly followRun: FollowRun;
}

interface Resumable extends StreamOptions {
  readonly run: Run;
  readonly whose: Speaker;
  /** Ends the run. */
  readonly end: (reason: Error) => void;
}

/**
 * A run that is written down as it goes, and goes on when its reader leaves. A reader who keeps up is sent each frame at once;
 * one who does not is sent what was written down, so that nothing piles up for them and the run waits for nobody.
 */
export async function sendResumable(
  res: ServerResponse,
  asked: Resumable,
  deps: ResumableDeps,
): Promise<void> {
  const { kept, log, ready } = beginLog(asked, deps);
  res.writeHead(200, STREAM_HEADERS);
  const live = createLiveReader(res, ready, (after) =>
    sendFrames(res, kept, { after, signal: signalOfLeaving(res), ...deps }),
  );
  await tellRun(asked.run.start, asked, keepingFrames(log, kept, live));
  await log.end();
  await live.over();
}

/** The same for somebody who waits for the whole answer. */
export async function collectResumable(asked: Resumable, deps: ResumableDeps): Promise<Answer> {
  const { kept, log } = beginLog(asked, deps);
  const { start, answer } = watched(asked.run.start);
  await tellRun(start, asked, keepingFrames(log, kept));
  await log.end();
  return answer();
}

/** It is written down beside the run's first steps. Whoever asked hears of the run when it can be read again. */
function beginLog({ run, whose, frames, end }: Resumable, { frameWriter }: ResumableDeps) {
  const kept: ResumableRun = {
    ...{ ...whose, id: run.runId, conversationId: run.conversationId },
    ...{ textFrame: aroundText(frames), startedAt: new Date().toISOString() },
  };
  const log = frameWriter.begin(kept, end);
  const ready = Promise.all([log.begun, run.keepQuestion()]).then(
    () => undefined,
    (fault: unknown) => {
      end(fault as Error);
    },
  );
  return { kept, log, ready };
}

/** A frame of no words is what stands around them. */
function aroundText(frames: Frames): ResumableRun['textFrame'] {
  const empty = frames.text('');
  const at = empty.lastIndexOf('""');
  return { head: empty.slice(0, at), tail: empty.slice(at + 2) };
}

function keepingFrames(log: FrameLog, { textFrame }: ResumableRun, live?: LiveReader): FrameWriter {
  const { head, tail } = textFrame;
  let lastId = 0;
  let wroteAt = performance.now();
  const send = (text: string) => {
    if (text === '') return;
    wroteAt = performance.now();
    // The last ones of a run come together.
    for (const frame of text.split(/(?<=\n\n)/)) {
      const isText = frame.startsWith(head);
      log.add(isText ? frame.slice(head.length, -tail.length) : frame);
      lastId += 1;
      live?.send(numbered(lastId, frame), lastId);
    }
  };
  return {
    get wroteAt() {
      return wroteAt;
    },
    get full() {
      return log.full();
    },
    ...{ send, sendWords: send },
    end() {
      live?.end();
    },
  };
}

/** Of what a reader was sent and has not taken yet, in bytes. */
const MOST_UNREAD = 256 * 1024;

interface LiveReader {
  send(frame: string, id: number): void;
  /** There is nothing more to come. */
  end(): void;
  /** Settles when all has been sent, or the reader has left. */
  over(): Promise<void>;
}

function createLiveReader(
  res: ServerResponse,
  ready: Promise<void>,
  catchUp: (after: number) => Promise<void>,
): LiveReader {
  const out = new ChunkWriter(res);
  let pending = '';
  let lastId = 0;
  let isOpen = false;
  let isEnded = false;
  let behind: Promise<void> | undefined;

  const flush = () => {
    const frames = pending;
    pending = '';
    if (behind || res.destroyed) return;
    if (isEnded) res.end(frames);
    else if (frames !== '' && !out.write(frames) && res.writableLength > MOST_UNREAD) {
      behind = drainOrClose(res).then(() => catchUp(lastId));
    }
  };
  const opened = ready.then(() => {
    isOpen = true;
    flush();
  });

  return {
    send(frame, id) {
      if (behind || res.destroyed) return;
      if (pending === '' && isOpen) setImmediate(flush);
      pending += frame;
      lastId = id;
    },
    end() {
      isEnded = true;
      if (isOpen) flush();
    },
    async over() {
      await opened;
      await behind;
    },
  };
}

/** The same run, whose answer can be asked for when it is over. */
function watched(begin: Run['start']): { readonly start: Run['start']; readonly answer: () => Answer } {
  let text = '';
  let ending: Ending | undefined;
  let fault: unknown;
  return {
    async start({ say, tell }) {
      try {
        ending = await begin({
          tell,
          say(piece) {
            text += piece;
            return say(piece);
          },
        });
        return ending;
      } catch (thrown) {
        fault = thrown;
        throw thrown;
      }
    },
    answer() {
      if (!ending) throw fault;
      return { text, ending };
    },
  };
}
