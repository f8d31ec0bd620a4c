import { Agent } from 'undici';
import { ask } from './ask.js';
import type { OpenJob, StreamsResult } from './jobs.js';

export interface HeldStreams {
  open(job: OpenJob): Promise<StreamsResult>;
  vanish(): Promise<StreamsResult>;
}

export function holdStreams(): HeldStreams {
  let dispatcher = new Agent();
  let held = 0;
  return {
    async open({ question, streams }) {
      dispatcher = new Agent();
      await Promise.all(Array.from({ length: streams }, () => firstTextOf(question, dispatcher)));
      held += streams;
      return { streams: held };
    },
    async vanish() {
      const streams = held;
      held = 0;
      await dispatcher.destroy();
      return { streams };
    },
  };
}

/** Resolves with the first text, while the stream goes on; rejects when it ends before. */
function firstTextOf(question: OpenJob['question'], dispatcher: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const onText = () => {
      resolve();
    };
    ask(question, { dispatcher, onText }).catch(reject);
  });
}
