import { tooLarge } from '../core/errors.js';

interface Caps {
  readonly mostBytes: number;
  /** What a reader is told when the source breaks. */
  readonly shown: (fault: unknown) => unknown;
  /** Called once, when nothing more will be read. */
  readonly ended: () => void;
}

/** The bytes of a body as they come, up to a limit; past it the sender is hung up on. */
export function cappedBody(source: ReadableStream, { mostBytes, shown, ended }: Caps): ReadableStream {
  const reader = (source as ReadableStream<Uint8Array>).getReader();
  let seen = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          ended();
          controller.close();
          return;
        }
        seen += value.byteLength;
        if (seen > mostBytes) throw tooLarge('The other service sent more than can be taken.');
        controller.enqueue(value);
      } catch (fault) {
        // Rejects when the source is what broke, which is being told already.
        reader.cancel(fault).catch(() => undefined);
        controller.error(shown(fault));
        ended();
      }
    },
    async cancel(reason) {
      ended();
      await reader.cancel(reason);
    },
  });
}
