/** To the clipboard. Rejects where the browser does not allow it at all. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Closed to pages that came unencrypted, and to those in the frame of another site. The old way is not.
    if (!copiedBySelecting(text)) throw new Error('The browser does not let this page copy.');
  }
}

function copiedBySelecting(text: string): boolean {
  const before = document.activeElement;
  const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
  field.className = 'for-screen-readers';
  // Beside what was pressed: outside an open dialog nothing can be selected.
  (before?.closest('dialog') ?? document.body).append(field);
  field.select();
  try {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way that is left there
    return document.execCommand('copy');
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }
}
