import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { InstalledPostgres } from '../../test/support/runner/postgres-server.js';

/** The PostgreSQL of this machine, if it has one that has pgvector. */
export function installedPgvector(): InstalledPostgres | undefined {
  const { status, stdout } = spawnSync('pg_config', ['--bindir', '--sharedir', '--version'], {
    encoding: 'utf8',
  });
  const [programs = '', share = '', version = ''] = status === 0 ? stdout.trim().split('\n') : [];
  const isThere =
    existsSync(join(programs, 'postgres')) && existsSync(join(share, 'extension/vector.control'));
  return isThere ? { programs, version: version.split(' ')[1] ?? version } : undefined;
}
