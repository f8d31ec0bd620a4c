// What the rules ask of a chat, written out by hand, and nothing else: the least that a service in Node costs that keeps them. Of an
// answer nothing is looked at but its end, as this model sends it.
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { Agent, request } from 'undici';
import { onceForEach, SYSTEM_PROMPT, toolsFor } from './agent-tools.mjs';
import { listen } from './listen.mjs';
import { openRecords } from './records.mjs';

const upstream = `${process.argv[2]}/v1/chat/completions`;
const dispatcher = new Agent();
const folder = mkdtempSync(join(tmpdir(), 'bellwether-rules-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const { look, record } = await openRecords(join(folder, 'records.db'));

const hash = (key) => createHash('sha256').update(key).digest('hex');
const people = new Map([[hash('Bearer none'), { id: 1 }]]);
const USAGE_TOO = { include_usage: true };
const DONE = Buffer.from('data: [DONE]\n\n');

const offered = onceForEach((model) => {
  const tools = toolsFor(model);
  const schema = { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] };
  const functions = tools.map(({ name, description }) => ({
    type: 'function',
    function: { name, description, parameters: schema },
  }));
  // Put into words once.
  return { tools, offer: tools.length > 0 ? `,"tools":${JSON.stringify(functions)}}` : '}' };
});

const status = (type) => `data: ${JSON.stringify({ choices: [], x_bellwether: { type } })}\n\n`;

listen(
  createServer(async (req, res) => {
    const run = { id: randomUUID(), at: new Date().toISOString() };
    const person = people.get(hash(req.headers.authorization));
    const { model, messages } = await json(req);
    // Whether somebody still may is read when it is done, not remembered.
    if (!person || !(await look(person.id))) return res.writeHead(401).end();
    // What it is doing is told before the provider has answered.
    res.writeHead(200, { 'content-type': 'text/event-stream' }).write(status('thinking'));
    const chat = [{ role: 'system', content: SYSTEM_PROMPT }, ...messages];
    // Whoever has left gets no end.
    const usage = await answer(res, { model, messages: chat }, person).catch(() => void res.destroy());
    await record({ ...run, usage });
    if (res.destroyed) return;
    res.end(DONE);
    process.stdout.write(`${JSON.stringify({ level: 'info', run: run.id, status: 200, usage })}\n`);
  }),
);

async function answer(res, { model, messages }, person) {
  const { tools, offer } = offered(model);
  const reply = await request(upstream, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages, stream: true, stream_options: USAGE_TOO }).slice(0, -1) + offer,
  });
  // Whoever leaves takes the model's answer along.
  res.once('close', () => reply.body.destroy());
  const asksForCalls =
    model.includes('calls=') && !model.includes('calls=0') && messages.at(-1).role !== 'tool';
  if (!asksForCalls) return await passOn(reply.body, res);
  const calls = callsIn(await text(reply.body));
  res.write(status('tool_begin'));
  await look(person.id);
  const results = await Promise.all(
    calls.map(async ({ id, name, args }) => {
      const content = await tools.find((tool) => tool.name === name).run(JSON.parse(args));
      return { role: 'tool', tool_call_id: id, content };
    }),
  );
  res.write(status('tool_end'));
  const said = calls.map(({ id, name, args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }));
  const more = [...messages, { role: 'assistant', tool_calls: said }, ...results];
  return await answer(res, { model, messages: more }, person);
}

/** Bytes as they come, but for the end, which waits for the record; resolves with the usage that stands before it. */
function passOn(body, res) {
  return new Promise((resolve, reject) => {
    let before = Buffer.alloc(0);
    body.on('data', (bytes) => {
      const isLast = bytes.subarray(-DONE.length).equals(DONE);
      const passed = isLast ? bytes.subarray(0, -DONE.length) : bytes;
      if (passed.length > 0) before = passed;
      if (passed.length > 0 && !res.write(passed)) body.pause();
      if (isLast) resolve(usageIn(before));
    });
    res.on('drain', () => body.resume());
    body.once('error', reject);
    body.once('end', () => resolve(undefined));
  });
}

function usageIn(bytes) {
  const last = bytes.lastIndexOf('data: ');
  return last < 0 ? undefined : JSON.parse(bytes.toString('utf8', last + 6)).usage;
}

/** Names come first, arguments in pieces. */
function callsIn(events) {
  const calls = [];
  for (const event of events.split('\n\n')) {
    if (!event.includes('tool_calls')) continue;
    for (const { index, id, function: told } of JSON.parse(event.slice(6)).choices[0].delta.tool_calls ??
      []) {
      const call = (calls[index] ??= { id, name: told.name, args: '' });
      call.args += told.arguments ?? '';
    }
  }
  return calls;
}
