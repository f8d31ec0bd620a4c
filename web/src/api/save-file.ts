/** Hands bytes to whoever sits there. Saved, never opened: what is in them is not ours to vouch for. */
export function saveFile(bytes: Blob, filename: string): void {
  const href = URL.createObjectURL(bytes);
  const link = Object.assign(document.createElement('a'), { href, download: filename });
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(href);
  });
}
