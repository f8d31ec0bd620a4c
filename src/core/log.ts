import { constants } from 'node:os';
import { type Position, sourcePosition } from './base/source-position.js';

/** Facts about what happened, never contents. */
export type LogFacts = Readonly<Record<string, unknown>>;

export interface Logger {
  debug(facts: LogFacts, message: string): void;
  info(facts: LogFacts, message: string): void;
  warn(facts: LogFacts, message: string): void;
  error(facts: LogFacts, message: string): void;
}

/**
 * The place, and nothing that whoever threw could have put into words: messages quote what was being read, and names,
 * codes and stacks can be anything. Never throws, whatever it is given.
 */
export function errorLocation(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return typeof thrown;
    const { name, stack } = thrown;
    const code: unknown = 'code' in thrown ? thrown.code : undefined;
    return [
      KNOWN_NAMES.has(name) ? name : 'Error',
      ...(isKnownCode(code) ? [code] : []),
      ...placesIn(typeof stack === 'string' ? stack : ''),
    ].join(' ');
  } catch {
    return 'something that cannot be looked at';
  }
}

/** Of the language, and of the libraries whose faults get here. */
const KNOWN_NAMES: ReadonlySet<unknown> = new Set([
  ...['TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'URIError', 'EvalError', 'AggregateError'],
  ...['AppError', 'AbortError', 'TimeoutError', 'DataCloneError', 'ZodError', 'MulterError', 'ProtocolError'],
  ...['SqliteError', 'KnexTimeoutError', 'DatabaseError', 'AssertionError', 'SocketError'],
  ...['ConnectTimeoutError', 'HeadersTimeoutError', 'BodyTimeoutError', 'RequestAbortedError'],
]);

const SYSTEM_CODES: ReadonlySet<string> = new Set([
  ...Object.keys(constants.errno),
  ...['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ABORT_ERR', 'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
]);
/** Node's, undici's, SQLite's and, of five characters, PostgreSQL's. */
const CODE = /^(?:ERR|UND_ERR|HPE|SQLITE)(?:_[A-Z]{1,20}){1,6}$|^[0-9][0-9A-Z]{4}$/;

function isKnownCode(code: unknown): code is string {
  return typeof code === 'string' && (SYSTEM_CODES.has(code) || CODE.test(code));
}

const MOST_PLACES = 6;
const FRAME = /^ {4}at .*?([^\s()]*):(\d{1,7}):(\d{1,7})\)?$/;
/** From the folder on that the program is installed in; where that is, is nobody's business. */
const OUR_FILE = /\/((?:dist|src|agents|db|tools|node_modules)\/[\w@./-]{1,150}\.[cm]?[jt]s)$/;
const BUILT_FILE = /\/dist\/[\w./-]{1,150}\.js$/;
const NODE_FILE = /^node:[a-z_/]{1,60}$/;

function placesIn(stack: string): string[] {
  const frames = stack.split('\n').flatMap((text) => {
    const [, file = '', line = '', column = ''] = FRAME.exec(text) ?? [];
    return line === '' ? [] : [{ file, line: Number(line), column: Number(column) }];
  });
  return frames.slice(0, MOST_PLACES).map(shownPlace);
}

function shownPlace(place: Position): string {
  const { file, line, column } = BUILT_FILE.test(place.file) ? sourcePosition(place) : place;
  return `at ${shownFile(file)}:${String(line)}:${String(column)}`;
}

function shownFile(file: string): string {
  return OUR_FILE.exec(file)?.[1] ?? (NODE_FILE.test(file) ? file : '…');
}
