/** What was dropped, with all that lies in folders: a browser hands those over as one thing that cannot be read. */
export async function droppedFiles(transfer: DataTransfer): Promise<readonly File[]> {
  // Asked for at once: after the event nothing of it is left.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry());
  if (!entries.some((entry) => entry?.isDirectory)) return [...transfer.files];
  const found: File[] = [];
  for (const entry of entries) if (entry) await collect(entry, found);
  return found;
}

const MOST_FILES = 5_000;

/** Without what systems hide in folders. */
async function collect(entry: FileSystemEntry, found: File[]): Promise<void> {
  if (entry.name.startsWith('.') || found.length >= MOST_FILES) return;
  if (entry.isFile) {
    found.push(
      await new Promise<File>((resolve, reject) => {
        (entry as FileSystemFileEntry).file(resolve, reject);
      }),
    );
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // It brings some hundred at a time, and nothing at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0) return;
    for (const each of some) await collect(each, found);
  }
}
