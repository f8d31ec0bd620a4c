import type { Attachment } from 'svelte/attachments';

/** Opens a `<details>` that has something wrong in it, and never closes it while that is mended. */
export const openOnError =
  (isWrong: boolean): Attachment<HTMLDetailsElement> =>
  (details) => {
    if (isWrong) details.open = true;
  };
