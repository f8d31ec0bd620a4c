// Loaded into the service before its first module: counts what costs, and tells the counts when asked by SIGUSR2.
import { createHook } from 'node:async_hooks';
import crypto from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { clearInterval, setImmediate } from 'node:timers';
import { pathToFileURL } from 'node:url';

const { parse, stringify } = JSON;
const counts = {
  parses: 0,
  stringifies: 0,
  written: 0,
  hashed: 0,
  promises: 0,
  controllers: 0,
  writes: 0,
  pieces: 0,
  statements: [],
  built: 0,
  conversions: 0,
};
// For a tool whose schema tells when it is converted.
globalThis.countConversion = () => (counts.conversions += 1);

let underWay = 0;
let told = 0;

JSON.parse = (...given) => {
  counts.parses += 1;
  return parse(...given);
};
JSON.stringify = (...given) => {
  const json = stringify(...given);
  counts.stringifies += 1;
  counts.written += json?.length ?? 0;
  return json;
};

const { hash } = crypto;
const { update } = crypto.Hash.prototype;
crypto.hash = (algorithm, data, ...given) => {
  counts.hashed += data.length;
  return hash(algorithm, data, ...given);
};
crypto.Hash.prototype.update = function (data, ...given) {
  counts.hashed += data.length;
  return update.call(this, data, ...given);
};
syncBuiltinESMExports();

globalThis.AbortController = class extends globalThis.AbortController {
  constructor() {
    super();
    counts.controllers += 1;
  }
};

// What is done by the clock is no part of a chat, and on a busy machine would be counted with one.
const { setInterval } = globalThis;
globalThis.setInterval = (...given) => {
  const timer = setInterval(...given);
  clearInterval(timer);
  return timer;
};

createHook({
  init(_id, type) {
    if (type === 'PROMISE') counts.promises += 1;
  },
}).enable();

// What is handed to the operating system, and of how many pieces it is made.
subscribe('net.server.socket', ({ socket }) => {
  const handle = socket._handle;
  for (const name of ['writev', 'writeBuffer', 'writeUtf8String', 'writeLatin1String', 'writeAsciiString']) {
    const write = handle[name];
    handle[name] = (...given) => {
      counts.writes += 1;
      // Of several, their encodings are told beside them unless all are bytes.
      const [, pieces, areBytes] = given;
      counts.pieces += name === 'writev' ? pieces.length / (areBytes ? 1 : 2) : 1;
      return write.apply(handle, given);
    };
  }
});

const require = createRequire(pathToFileURL(`${process.cwd()}/package.json`));
const sqlite = require('sqlite3');
// Whatever is run, prepared or not.
for (const name of ['all', 'run', 'get', 'each']) {
  const run = sqlite.Statement.prototype[name];
  sqlite.Statement.prototype[name] = function (...given) {
    counts.statements.push(this.sql?.trim().split(/\s+/).slice(0, 4).join(' '));
    const done = given.at(-1);
    if (typeof done !== 'function') return run.apply(this, given);
    underWay += 1;
    return run.call(this, ...given.slice(0, -1), function (...told) {
      underWay -= 1;
      return done.apply(this, told);
    });
  };
}
// What was put together and compiled for one use, as the query builder does.
for (const name of ['all', 'run', 'get', 'each', 'exec']) {
  const run = sqlite.Database.prototype[name];
  sqlite.Database.prototype[name] = function (...given) {
    counts.built += 1;
    return run.apply(this, given);
  };
}

function tell() {
  if (underWay > 0) {
    setImmediate(tell);
    return;
  }
  told += 1;
  process.stdout.write(`${stringify({ told, counts })}\n`);
  for (const [name, count] of Object.entries(counts)) counts[name] = Array.isArray(count) ? [] : 0;
}
// Two turns later, so that what follows from the last answer has happened.
process.on('SIGUSR2', () => setImmediate(() => setImmediate(tell)));
