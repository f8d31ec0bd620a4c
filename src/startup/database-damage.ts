const MOST_SHOWN = 3;

/** For whoever looks after the service: what was found, that nothing was changed, and what to do. */
export class DamagedDatabase extends Error {
  constructor(file: string, faults: readonly string[]) {
    const more = faults.length > MOST_SHOWN ? ['…'] : [];
    super(
      [
        `the database ${file} is damaged, and nothing was changed in it.`,
        ...[...faults.slice(0, MOST_SHOWN), ...more].map((fault) => `  - ${fault.replaceAll('\n', ' ')}`),
        'Put back a backup of the whole data folder. Without one, move the file and those beside it (-wal, -shm) away',
        'and save what can be read with "sqlite3 FILE .recover". Check the disk: SQLite does not damage files by itself.',
        '"npm run doctor" looks through everything.',
      ].join('\n'),
    );
  }
}
