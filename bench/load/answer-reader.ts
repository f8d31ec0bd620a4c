/** Puts a streamed answer together, however it was cut into frames and frames into reads. */
export interface AnswerReader {
  /** Takes what arrived; true when it brought text. */
  read(piece: string): boolean;
  /** The text so far. */
  text(): string;
  /** The kinds of all status events so far, in order. */
  events(): readonly string[];
  /** What is wrong with the whole answer, when the stream has ended. */
  faultAgainst(expected: string): string | undefined;
}

interface Frame {
  readonly error?: unknown;
  readonly x_bellwether?: { readonly type: string };
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[];
}

export function createAnswerReader(): AnswerReader {
  let rest = '';
  let answer = '';
  let isDone = false;
  let error: string | undefined;
  const events: string[] = [];

  const takeFrame = (frame: string) => {
    const data = frame.trim().replace(/^data: ?/, '');
    // Comments keep a connection alive and say nothing.
    if (data === '' || data.startsWith(':')) return;
    if (data === '[DONE]') {
      isDone = true;
      return;
    }
    const { choices, error: told, x_bellwether: event } = JSON.parse(data) as Frame;
    if (told !== undefined) error = JSON.stringify(told);
    if (event) events.push(event.type);
    answer += choices?.[0]?.delta?.content ?? '';
  };

  return {
    read(piece) {
      const before = answer.length;
      const frames = (rest + piece).split('\n\n');
      rest = frames.pop() ?? '';
      frames.forEach(takeFrame);
      return answer.length > before;
    },
    text: () => answer,
    events: () => events,
    faultAgainst(expected) {
      if (error !== undefined) return `the stream told an error: ${error}`;
      if (!isDone) return `the stream ended without [DONE] after ${String(answer.length)} characters`;
      if (answer !== expected) return `the answer is not what the model said: …${answer.slice(-80)}`;
      return undefined;
    },
  };
}
