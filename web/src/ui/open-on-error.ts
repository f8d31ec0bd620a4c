import type { Attachment } from 'svelte/attachments';

/** What is wrong is not left behind a closed door, and none is shut on whoever mends it. */
export const openOnError =
  (isWrong: boolean): Attachment<HTMLDetailsElement> =>
  (details) => {
    if (isWrong) details.open = true;
  };
