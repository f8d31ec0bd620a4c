// What the rules ask of a chat, written out by hand, and nothing else: the least that a service in Node costs that keeps them,
// as far as we know how to write one. It tells the frames that the service tells (`test/bench/rules-alone.test.ts`).
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { clearTimeout, setTimeout } from 'node:timers';
import { Pool } from 'undici';
import { z } from 'zod';
import { onceForEach, SYSTEM_PROMPT, toolsFor } from './agent-tools.mjs';
import { createEventReader } from './event-reader.mjs';
import { listen } from './listen.mjs';
import { openRecords } from './records.mjs';

const HEARTBEAT_MS = 15_000;
const RUN_MS = 300_000;
const TOOL_MS = 30_000;
const REQUESTS_A_MINUTE = 1_000_000;
const MOST_ROUNDS = 5;
const MOST_ARGUMENTS = 65_536;
const MOST_RESULT = 100_000;

const provider = new Pool(process.argv[2]);
const ASKING = { path: '/v1/chat/completions', method: 'POST' };
const HEADERS = { 'content-type': 'application/json', authorization: 'Bearer sk-bench-0123456789' };

const folder = mkdtempSync(join(tmpdir(), 'bellwether-rules-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const { look, record } = await openRecords(join(folder, 'records.db'));

const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const people = new Map([[sha256('Bearer none'), { id: 1, minute: 0, requests: 0 }]]);
const counts = { open: 0, runs: 0, promptTokens: 0, completionTokens: 0, runMs: new Float64Array(12) };

listen(
  createServer(async (req, res) => {
    const began = performance.now();
    const requestId = `req_${randomUUID()}`;
    const refuse = (status) => void res.writeHead(status, { 'x-request-id': requestId }).end();
    const person = people.get(sha256(req.headers.authorization));
    if (!person) return refuse(401);
    if (asksTooOften(person)) return refuse(429);
    const asked = await bodyOf(req);
    if (!isQuestion(asked)) return refuse(400);
    // Whether somebody still may is read when it is done, not remembered.
    if (!(await look(person.id))) return refuse(401);
    const run = beginRun(asked, { person, res, requestId });
    await answer(run).catch(() => leave(run));
    endTimers(run);
    const ms = performance.now() - began;
    await record(rowsOf(run, ms));
    count(run, ms);
    // Whoever has left gets no end.
    if (!res.destroyed) endStream(run);
    log({ requestId, runId: run.id, person: person.id, status: 200, ms });
  }),
);

function asksTooOften(person) {
  const minute = Math.floor(Date.now() / 60_000);
  if (person.minute !== minute) person.requests = 0;
  person.minute = minute;
  person.requests += 1;
  return person.requests > REQUESTS_A_MINUTE;
}

function bodyOf(req) {
  return new Promise((resolve) => {
    const parts = [];
    req.on('data', (bytes) => parts.push(bytes));
    req.once('end', () => {
      try {
        resolve(JSON.parse(parts.length === 1 ? parts[0] : Buffer.concat(parts)));
      } catch {
        resolve(undefined);
      }
    });
  });
}

function isQuestion(asked) {
  if (typeof asked?.model !== 'string' || !Array.isArray(asked.messages)) return false;
  for (const { role, content } of asked.messages) {
    if ((role !== 'user' && role !== 'assistant') || typeof content !== 'string') return false;
  }
  return true;
}

/** Of each assistant once: its tools, and what is sent for it around the messages. */
const assistantOf = onceForEach((model) => {
  const tools = new Map(toolsFor(model).map((tool) => [tool.name, tool]));
  const parameters = { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] };
  const functions = [...tools.values()].map(({ name, description }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));
  const asked = { model, stream: true, stream_options: { include_usage: true } };
  const system = JSON.stringify({ role: 'system', content: SYSTEM_PROMPT });
  return {
    tools,
    name: JSON.stringify(model),
    before: `${JSON.stringify(asked).slice(0, -1)},"messages":[${system},`,
    after: functions.length > 0 ? `],"tools":${JSON.stringify(functions)}}` : ']}',
  };
});

function beginRun({ model, messages }, { person, res, requestId }) {
  const id = randomUUID();
  const assistant = assistantOf(model);
  const created = Math.floor(Date.now() / 1000);
  const began = performance.now();
  const run = {
    id,
    at: new Date().toISOString(),
    person,
    res,
    write: chunkWriter(res),
    wroteAt: began,
    assistant,
    said: JSON.stringify(messages).slice(1, -1),
    head: `data: {"id":"chatcmpl-${id}","object":"chat.completion.chunk","created":${created},"model":${assistant.name},"choices":[{"index":0,"delta":`,
    seq: 0,
    round: 0,
    steps: [],
    calls: [],
    provider: undefined,
    heart: undefined,
    limit: undefined,
  };
  run.heart = setTimeout(beat, HEARTBEAT_MS, run);
  run.limit = setTimeout(() => leave(run), RUN_MS);
  counts.open += 1;
  // Whoever leaves takes the model's answer along.
  res.once('close', () => res.writableFinished || leave(run));
  res.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-request-id': requestId,
    'x-run-id': `run_${id}`,
  });
  return run;
}

/** What Node writes in four pieces for a chunk is put together here. The head goes with the first, which is Node's. */
function chunkWriter(res) {
  let hasBegun = false;
  return (text) => {
    if (hasBegun && res.socket?.writable && res.chunkedEncoding && !res.writableEnded && text !== '') {
      return res.socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
    }
    hasBegun = true;
    return res.write(text);
  };
}

/** After so long a silence. */
function beat(run) {
  const silentMs = performance.now() - run.wroteAt;
  if (silentMs >= HEARTBEAT_MS) run.write(status(run, 'heartbeat'));
  run.heart = setTimeout(beat, silentMs >= HEARTBEAT_MS ? HEARTBEAT_MS : HEARTBEAT_MS - silentMs, run);
}

/** `more` and `event` in JSON, and after a comma. */
function status(run, type, more = '', event = '') {
  run.seq += 1;
  return `${run.head}{},"finish_reason":null}],"x_bellwether":{"v":1,"seq":${run.seq},"type":"${type}"${more}}${event}}\n\n`;
}

const delta = (run, content) => `${run.head}{${content}},"finish_reason":null}]}\n\n`;

async function answer(run) {
  run.round += 1;
  // What it is doing is told before the provider has answered.
  const beginning =
    run.round > 1
      ? ''
      : delta(run, '"role":"assistant","content":""') +
        status(run, 'run.started', `,"run_id":"run_${run.id}"`) +
        status(run, 'prompt.composed', ',"label":"merging tool outputs","merged":0');
  run.write(beginning + status(run, 'model.started', `,"iteration":${run.round}`));
  const body = run.assistant.before + run.said + run.assistant.after;
  const [began, at] = [performance.now(), new Date().toISOString()];
  const { text, calls, usage } = await ask(run, body);
  const ms = performance.now() - began;
  run.steps.push([
    'model',
    1,
    at,
    ms,
    run.round,
    run.said.length,
    sha256(run.said),
    text.length,
    sha256(text),
    'openai',
  ]);
  run.calls.push([
    run.person.id,
    1,
    1,
    'openai',
    'model',
    usage?.prompt_tokens ?? 0,
    usage?.completion_tokens ?? 0,
    0,
  ]);
  if (calls.length === 0) return;
  if (run.round > MOST_ROUNDS) throw new Error('There are no more rounds.');
  // Once for a round, however many calls it has.
  if (!(await look(run.person.id))) throw new Error('No longer allowed.');
  const results = await Promise.all(calls.map((call) => callTool(run, call)));
  const tool_calls = calls.map(({ id, name, args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }));
  run.said += `,${JSON.stringify([{ role: 'assistant', content: null, tool_calls }, ...results]).slice(1, -1)}`;
  await answer(run);
}

/** Asks the provider. Words are passed on as they come, no faster than they are read. */
function ask(run, body) {
  return new Promise((resolve, reject) => {
    const reader = createEventReader();
    let text = '';
    provider.dispatch(
      { ...ASKING, headers: HEADERS, body },
      {
        onRequestStart: (controller) => void (run.provider = controller),
        onResponseStart(controller, code) {
          if (code !== 200) controller.abort(new Error(`The provider has answered ${code}.`));
        },
        onResponseData(controller, bytes) {
          const words = reader.read(bytes);
          if (words === '') return;
          text += words;
          run.wroteAt = performance.now();
          if (run.write(delta(run, `"content":${JSON.stringify(words)}`))) return;
          controller.pause();
          run.res.socket?.once('drain', () => controller.resume());
        },
        onResponseEnd: () => resolve({ text, calls: reader.calls(), usage: reader.usage() }),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

const ARGUMENTS = z.strictObject({ key: z.string() });

async function callTool(run, { id, name, args }) {
  const tool = run.assistant.tools.get(name);
  if (!tool || args.length > MOST_ARGUMENTS) return { role: 'tool', tool_call_id: id, content: 'Refused.' };
  const parsed = ARGUMENTS.parse(JSON.parse(args));
  const told = `,"iteration":${run.round},"call_id":${JSON.stringify(id)},"tool":"look_up","label":"looking up"`;
  const event = (isDone) => `,"event":{"type":"status","data":{"description":"looking up","done":${isDone}}}`;
  run.write(status(run, 'tool.started', told, event(false)));
  const [began, at] = [performance.now(), new Date().toISOString()];
  const limit = setTimeout(() => leave(run), TOOL_MS);
  const content = (await tool.run(parsed)).slice(0, MOST_RESULT);
  clearTimeout(limit);
  const ms = performance.now() - began;
  run.write(status(run, 'tool.completed', `${told},"ms":${Math.round(ms)}`, event(true)));
  run.steps.push([
    'tool',
    1,
    at,
    ms,
    run.round,
    args.length,
    sha256(args),
    content.length,
    sha256(content),
    name,
  ]);
  return { role: 'tool', tool_call_id: id, content };
}

function leave({ provider: asked, res }) {
  asked?.abort(new Error('Nobody listens.'));
  res.destroy();
}

function endTimers({ heart, limit }) {
  clearTimeout(heart);
  clearTimeout(limit);
}

function endStream(run) {
  run.seq += 1;
  const told = `"v":1,"seq":${run.seq},"type":"run.completed","iterations":${run.round},"capped":false,"sources":[]`;
  run.res.end(`${run.head}{},"finish_reason":"stop"}],"x_bellwether":{${told}}}\n\ndata: [DONE]\n\n`);
}

function rowsOf({ id, at, person, round, steps, calls }, ms) {
  let [prompt, completion] = [0, 0];
  for (const call of calls) {
    prompt += call[5];
    completion += call[6];
  }
  return [
    id,
    at,
    person.id,
    1,
    1,
    1,
    'api-key',
    'completed',
    ms,
    round,
    0,
    prompt,
    completion,
    1,
    steps,
    calls,
  ];
}

function count({ calls }, ms) {
  counts.open -= 1;
  counts.runs += 1;
  for (const call of calls) {
    counts.promptTokens += call[5];
    counts.completionTokens += call[6];
  }
  counts.runMs[Math.min(11, Math.floor(Math.log2(ms + 1)))] += 1;
}

const SECRET = /\b(?:sk|bw)[-_][\w-]{8,}|Bearer\s+\S+/;

function log(facts) {
  const line = JSON.stringify({ level: 'info', time: Date.now(), msg: 'request', ...facts });
  process.stdout.write(`${SECRET.test(line) ? '{"level":"info"}' : line}\n`);
}
