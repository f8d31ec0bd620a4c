/** Downloads bytes as a file. They are saved and never opened: their content is not trusted. */
export function saveFile(bytes: Blob, filename: string): void {
  const href = URL.createObjectURL(bytes);
  const link = Object.assign(document.createElement('a'), { href, download: filename });
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(href);
  });
}
