import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';

/** What came before was never served by two versions at once. */
const LAST_OF_BEFORE = '20261116001100';

/** With a reason behind it, it lets a migration do what is listed below. */
const MARKER = /^\s*(?:\/\/|\*)\s*Safe beside the version before: \S.{20,}/m;

/** What takes away something that a process of the version before still reads or writes, or asks it for more. */
const BREAKING: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['drops a table', /\bdropTable(?:IfExists)?\(|\bDROP TABLE\b/i],
  ['drops a column', /\bdropColumns?\(|\bDROP COLUMN\b/i],
  ['drops timestamps', /\bdropTimestamps\(/],
  ['renames', /\brename(?:Table|Column)\(|\bRENAME\b/i],
  ['changes the type of a column', /\.alter\(|\bALTER COLUMN\s+\S+\s+(?:SET DATA\s+)?TYPE\b/i],
  ['takes away a default', /\bALTER COLUMN\s+\S+\s+DROP DEFAULT\b/i],
  ['forbids null', /\bSET NOT NULL\b|\bdropNullable\(/i],
  ['wants a value', /\bADD (?:COLUMN )?(?!CONSTRAINT\b)[^;`']*\bNOT NULL\b(?![^;`']*\bDEFAULT\b)/i],
  ['changes a primary key', /\bdropPrimary\(|\bADD (?:CONSTRAINT \S+ )?PRIMARY KEY\b/i],
  ['refuses values', /\bADD CONSTRAINT \S+\s+(?:CHECK|UNIQUE|FOREIGN)\b/i],
];

/** Columns of tables that are there already, and keys of theirs. */
function breakingAlterations(up: string): string[] {
  const blocks = [...up.matchAll(/\balterTable\([\s\S]*?\n {2,4}\}\);/g)].map(([block]) => block);
  const lines = blocks.flatMap((block) => block.split(';'));
  return [
    ...(lines.some((line) => /\.notNullable\(\)/.test(line) && !/\.defaultTo\(/.test(line))
      ? ['wants a value']
      : []),
    ...(lines.some((line) => /\.primary\(/.test(line)) ? ['changes a primary key'] : []),
    ...(lines.some((line) => /\.unique\(/.test(line)) ? ['refuses values'] : []),
  ];
}

/** None for what code of the version before can live with, or what says why it can. */
function faultsOf(migration: string): string[] {
  if (MARKER.test(migration)) return [];
  const up = migration.replace(/export async function down[\s\S]*?\n\}\n/, '');
  const found = BREAKING.filter(([, pattern]) => pattern.test(up)).map(([what]) => what);
  return [...new Set([...found, ...breakingAlterations(up)])];
}

describe('a migration', () => {
  it('takes nothing away that the version before still uses, or says why that is safe', async () => {
    const folder = 'db/migrations';
    const files = (await readdir(folder)).filter((file) => /^\d{14}_\w+\.ts$/.test(file));
    const later = files.filter((file) => file.slice(0, LAST_OF_BEFORE.length) > LAST_OF_BEFORE);

    const faults = await Promise.all(
      later.map(async (file) =>
        faultsOf(await readFile(join(folder, file), 'utf8')).map((what) => `${file}: ${what}`),
      ),
    );

    expect(files.length).to.be.greaterThan(5);
    expect(faults.flat(), 'CONTRIBUTING.md, "A column", says how it is done in two releases').to.deep.equal(
      [],
    );
  });

  for (const [what, statement] of [
    ['drops a table', "await db.schema.dropTable('users');"],
    ['drops a column', "await db.raw('ALTER TABLE users DROP COLUMN name');"],
    ['renames', "await db.schema.alterTable('users', (table) => {\n    table.renameColumn('a', 'b');\n  });"],
    ['changes the type of a column', "await db.raw('ALTER TABLE users ALTER COLUMN name TYPE integer');"],
    ['wants a value', "await db.raw('ALTER TABLE users ADD COLUMN age integer NOT NULL');"],
    [
      'wants a value',
      "await db.schema.alterTable('users', (table) => {\n    table.text('age').notNullable();\n  });",
    ],
    ['changes a primary key', "await db.raw('ALTER TABLE users ADD PRIMARY KEY (name)');"],
    ['forbids null', "await db.raw('ALTER TABLE users ALTER COLUMN name SET NOT NULL');"],
  ] as const) {
    it(`is noticed when it ${what}: ${statement.replace(/\s+/g, ' ')}`, () => {
      const migration = (remark: string) =>
        `${remark}\nexport async function up(db: Knex) {\n  ${statement}\n}\n\nexport async function down() {}\n`;

      expect(faultsOf(migration(''))).to.deep.equal([what]);
      const why =
        '// Safe beside the version before: nothing has read this since the release before that one.';
      expect(faultsOf(migration(why))).to.deep.equal([]);
    });
  }

  it('may add tables, indexes, and columns that can be left out', () => {
    const additive = `export async function up(db: Knex) {
  await db.schema.createTable('notes', (table) => {
    table.increments('id');
    table.text('text').notNullable();
    table.primary(['id']);
    table.unique(['text']);
  });
  await db.schema.alterTable('users', (table) => {
    table.text('remark');
    table.integer('visits').notNullable().defaultTo(0);
    table.index(['visits']);
  });
  await db.raw('ALTER TABLE runs ADD COLUMN note text');
}

export async function down(db: Knex) {
  await db.schema.dropTable('notes');
  await db.raw('ALTER TABLE users DROP COLUMN remark');
}
`;

    expect(faultsOf(additive)).to.deep.equal([]);
  });
});
