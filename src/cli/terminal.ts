import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { interrupted, misused } from './faults.js';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
export interface Styled {
  readonly text: string;
  readonly style: Style;
}
/** Text of anybody's, and how it is to look. What it holds itself can change nothing about the terminal. */
export type Piece = string | Styled;

/** The only way to the terminal: whatever goes through it is made harmless first. */
export interface Terminal {
  /** Somebody sits at it who can be asked. */
  readonly isInteractive: boolean;
  /** Part of what was asked for; goes on in the same line. */
  write(...pieces: readonly Piece[]): void;
  /** A line of what was asked for. */
  line(...pieces: readonly Piece[]): void;
  /** Begins a new line, unless one has just begun. */
  endLine(): void;
  table(rows: readonly (readonly Piece[])[]): void;
  json(value: unknown, indent?: number): void;
  /** A line beside it, on the standard error. */
  note(...pieces: readonly Piece[]): void;
  /** What is going on at the moment, until something else is written. Where nobody watches, nothing. */
  status(text: string): void;
  /** What is typed; undefined at the end of the input (Ctrl-D). Ctrl-C is a fault. */
  ask(question: string, options?: AskOptions): Promise<string | undefined>;
  /** Typed without being shown; where nobody sits, the first line that comes in. */
  secret(question: string): Promise<string>;
  /** All that comes in. */
  readInput(): Promise<string>;
}

interface AskOptions {
  readonly signal?: AbortSignal;
  /** What was typed before, the newest first: the arrow keys bring it back. */
  readonly history?: readonly string[];
}

export interface Streams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** As much as the service takes unless told otherwise (BODY_LIMIT). */
const MOST_INPUT_BYTES = 20 * 2 ** 20;
const ERASE_LINE = '\r\u001b[2K';

// eslint-disable-next-line no-control-regex -- these are what terminals obey
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** They turn the direction of what follows, so that it reads as something else. */
const TURNS_OF_DIRECTION = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;

/** Shown as what they are: "␛" for an escape. A line feed and a tab stay, and a carriage return goes without a trace. */
function harmless(text: string): string {
  return text
    .replace(/\r/g, '')
    .replace(CONTROLS, (control) => {
      const code = control.charCodeAt(0);
      return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
    })
    .replace(TURNS_OF_DIRECTION, '');
}

/** The same value to whoever parses it. */
function harmlessJson(value: unknown, indent: number): string {
  const escaped = (control: string) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, indent)
    .replace(/[\u007f-\u009f]/g, escaped)
    .replace(TURNS_OF_DIRECTION, escaped);
}

const textOf = (piece: Piece): string => harmless(typeof piece === 'string' ? piece : piece.text);

/** Colours only where they are seen and wanted: NO_COLOR and TERM=dumb are read by Node itself. */
const hasColours = (stream: NodeJS.WriteStream): boolean => stream.isTTY && stream.hasColors();

function rendered(pieces: readonly Piece[], stream: NodeJS.WriteStream): string {
  const coloured = hasColours(stream);
  return pieces
    .map((piece) =>
      coloured && typeof piece !== 'string' ? styleText(piece.style, textOf(piece)) : textOf(piece),
    )
    .join('');
}

export function createTerminal({ stdin, stdout, stderr }: Streams): Terminal {
  const isInteractive = stdin.isTTY && stderr.isTTY;
  let isAtLineStart = true;
  let hasStatus = false;

  const clearStatus = () => {
    if (hasStatus) stderr.write(ERASE_LINE);
    hasStatus = false;
  };
  const write = (...pieces: readonly Piece[]) => {
    const text = rendered(pieces, stdout);
    if (text === '') return;
    clearStatus();
    stdout.write(text);
    isAtLineStart = text.endsWith('\n');
  };
  /** On a screen that shows both, what is said beside an answer begins in a line of its own. */
  const startLine = () => {
    clearStatus();
    if (!isAtLineStart && stdout.isTTY) write('\n');
  };
  const line = (...pieces: readonly Piece[]) => {
    write(...pieces, '\n');
  };
  const asking = { stdin, stderr, startLine };

  return {
    isInteractive,
    write,
    line,
    endLine() {
      clearStatus();
      if (!isAtLineStart) write('\n');
    },
    table(rows) {
      for (const row of aligned(rows)) line(...row);
    },
    json(value, indent = 2) {
      line(harmlessJson(value, indent));
    },
    note(...pieces) {
      startLine();
      stderr.write(`${rendered(pieces, stderr)}\n`);
    },
    status(text) {
      if (!stderr.isTTY || !isAtLineStart) return;
      clearStatus();
      const short = harmless(text)
        .replace(/\s+/g, ' ')
        .slice(0, (stderr.columns || 80) - 1);
      stderr.write(rendered([{ text: short, style: 'dim' }], stderr));
      hasStatus = true;
    },
    ask: (question, options = {}) => askFor(question, { ...asking, ...options }),
    async secret(question) {
      if (!isInteractive) return firstLine(await readAll(stdin));
      const typed = await askFor(question, { ...asking, hidden: true });
      return typed ?? '';
    },
    readInput: () => readAll(stdin),
  };
}

/** In columns, each as wide as its widest cell; a cell is one line. */
function aligned(rows: readonly (readonly Piece[])[]): Piece[][] {
  const cells = rows.map((row) =>
    row.map((piece) => {
      const text = textOf(piece).replace(/\s+/g, ' ');
      return { text, style: typeof piece === 'string' ? undefined : piece.style };
    }),
  );
  const columns = Math.max(0, ...cells.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) =>
    Math.max(...cells.map((row) => row[i]?.text.length ?? 0)),
  );
  return cells.map((row) =>
    row.flatMap(({ text, style }, i): Piece[] => {
      const isLast = row.slice(i + 1).every((cell) => cell.text === '');
      const gap = isLast ? '' : ' '.repeat((widths[i] ?? 0) - text.length + 2);
      return [style === undefined ? text : { text, style }, gap];
    }),
  );
}

interface Asking extends AskOptions, Pick<Streams, 'stdin' | 'stderr'> {
  readonly startLine: () => void;
  readonly hidden?: boolean;
}

const NOWHERE = new Writable({
  write: (_chunk, _encoding, done) => {
    done();
  },
});

/**
 * One question. Lines that come at once, as when several are pasted, are one answer. The interface is closed in between,
 * so that Ctrl-C is a signal again while an answer comes in.
 */
function askFor(question: string, options: Asking): Promise<string | undefined> {
  const { stdin, stderr, startLine, hidden = false, signal, history = [] } = options;
  startLine();
  const prompt = rendered([{ text: question, style: 'bold' }], stderr);
  return new Promise((resolve, reject) => {
    const reader = createInterface({
      input: stdin,
      output: hidden ? NOWHERE : stderr,
      terminal: true,
      history: [...history],
      ...(signal ? { signal } : {}),
    });
    const lines: string[] = [];
    let end: () => void = () => {
      resolve(undefined);
    };
    reader.on('line', (text) => {
      lines.push(text);
      setImmediate(() => {
        if (reader.line !== '') return;
        end = () => {
          resolve(lines.join('\n'));
        };
        reader.close();
      });
    });
    reader.on('SIGINT', () => {
      end = () => {
        reject(interrupted());
      };
      reader.close();
    });
    reader.once('close', () => {
      if (hidden || lines.length === 0) stderr.write('\n');
      end();
    });
    // Not before the interface is there: until then the terminal shows what is typed.
    if (hidden) stderr.write(prompt);
    else reader.setPrompt(prompt);
    reader.prompt();
  });
}

async function readAll(stdin: NodeJS.ReadStream): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stdin as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MOST_INPUT_BYTES) throw misused('What comes in is too large: at most 20 MB.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? '';
