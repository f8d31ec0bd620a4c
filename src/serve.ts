import type { Config } from './config.js';
import { errorLocation } from './core/log.js';
import type { Diagnostics } from './services.js';
import { DamagedDatabase } from './startup/database-damage.js';
import { banner } from './startup/first-start.js';
import { ALONE, type Place, type Service, startService, type StopOptions } from './wire.js';

/** What differs between a process that serves alone and one of several. */
export interface Post extends Place {
  up(service: Service): void;
  /** This process is about to end. */
  leaving(exitCode: number): StopOptions;
}

export function serveAlone(config: Config, diagnostics: Diagnostics, program: Program): Stop {
  return serve(config, diagnostics, program, {
    ...ALONE,
    up({ url, localUrl, facts }) {
      diagnostics.log.info(localUrl === url ? { url } : { url, localUrl }, 'listening');
      if (facts) program.print(banner(facts));
    },
    leaving: () => ({ othersGoOn: false }),
  });
}

export function serve(config: Config, diagnostics: Diagnostics, program: Program, post: Post): Stop {
  const { log } = diagnostics;
  let stopping = false;
  const starting = startService(config, diagnostics, post);
  const started = async () => {
    const service = await starting;
    post.up(service);
    await service.whole;
  };
  started().catch((fault: unknown) => {
    program.complain(`Bellwether could not start: ${whyNot(fault, config, diagnostics)}\n`);
    program.exit(1);
  });

  /** Asked to stop while still starting: start first, then stop in good order. */
  return (why, exitCode) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal: why }, 'stopping');
    const options = post.leaving(exitCode);
    starting
      .then((service) => service.stop(options))
      .then(
        () => {
          log.info({}, 'stopped');
          program.exit(exitCode);
        },
        (fault: unknown) => {
          log.error({ fault: errorLocation(fault) }, 'could not stop in good order');
          program.exit(1);
        },
      );
  };
}

/** For the administrator's eyes, on the terminal where they started it. */
function whyNot(
  fault: unknown,
  { port, host, dataDir, database }: Config,
  { redactor }: Diagnostics,
): string {
  const { code, message, syscall } = fault as { code?: string; message?: string; syscall?: string };
  if ((code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB') && database.kind === 'sqlite') {
    return new DamagedDatabase(database.file, [message ?? code]).message;
  }
  if (code === 'database_unavailable' && database.kind === 'postgres') {
    return `PostgreSQL at ${new URL(database.url).host || 'its socket'} cannot be reached. Start it, or set DATABASE_URL.`;
  }
  if (code === 'EADDRINUSE') return `port ${String(port)} is in use. Set PORT to a free one.`;
  if (code === 'EADDRNOTAVAIL' || (syscall === 'getaddrinfo' && message?.endsWith(` ${host}`) === true)) {
    return `${host} is no address of this machine. Set HOST to one: 127.0.0.1, or 0.0.0.0 for all of them.`;
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return `no permission for port ${String(port)} or for ${dataDir}. Set PORT or DATA_DIR.`;
  }
  if (code === 'EEXIST' || code === 'ENOTDIR' || code === 'EROFS' || code === 'ENOSPC') {
    return `${dataDir} cannot be used as a folder to write to (${code}). Set DATA_DIR to another.`;
  }
  return redactor.redact(message ?? 'unknown reason');
}

/** What main.ts lends of its process: nothing else touches it. */
export interface Program {
  print(text: string): void;
  complain(text: string): void;
  exit(code: number): void;
}

/** Ends in good order, with this exit code if all goes well. To be called more than once does no harm. */
export type Stop = (why: string, exitCode: number) => void;
