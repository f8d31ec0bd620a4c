/** Why targets are missed, as it was counted. Each is told for those of its targets that the kept run falls short of. */
export interface Reason {
  /** As they are numbered in `bench/targets.ts`. */
  readonly targets: readonly string[];
  /** In Markdown, with what it was counted by. */
  readonly why: string;
}

const COUNTS = '`test/http/chat/hot-path-counts.test.ts`';

/** Of what the rules ask for alone, beside each figure in the table. */
const ALONE = '*the rules alone*';

export const REASONS: readonly Reason[] = [
  {
    targets: ['1', '2a', '2b'],
    why: `the relay reads twice, writes twice and looks at nothing. The rules ask for more, and each of it is counted: one hash of a key and two for the trace, three readings of JSON and ten writings (${COUNTS}), 200 events to be read and told in frames of ours, two timers, one line of the log, one look and one record on the driver's thread, which is three rows in nine indexes of a file ([system calls](#what-a-chat-asks-of-the-system)). ${ALONE} do that and nothing else, and their figure stands beside ours: what is left between it and the relay's is what the rules cost in Node. What the relay itself needs differs by 1.7 times from run to run, and both figures with it: in seven whole runs of four days theirs was 2.14, 2.36, 1.35, 2.13, 2.68, 2.44 and 2.56, ours 3.31, 3.39, 2.18, 3.51, 3.56, 3.44 and 3.66, about one and a half times as much each time. They were within once in seven, of row 2b in the last two. Where nobody else is asked in between, and the compilers have come to their end, it is less: 405 to 440 µs a chat, theirs 348 to 388 (by hand, a quarter of a minute in one go, all threads). What is ours beyond them is a reader for the events of any provider, and everything that can differ from one chat to the next: whose assistant, shared with whom, in which version, with which settings, limits and budgets; each is a lookup in memory and a promise or two, 166 in all. There is no peak among them: of 60 functions in a profile (Node’s own, by hand) the dearest has a fifteenth.`,
  },
  {
    targets: ['3'],
    why: `one chunk wakes a process, and most of its cost is that. Beside the relay's two calls of the system there are one text in JSON and no promise, and what is written is one piece, of which the relay has four (${COUNTS}; [0160](decisions/0160-a-chunk-in-one-piece.md)); ${ALONE} have the same, and by that come near the relay or below it. So Node is no reason here. What was left was what a word touches: between two words of one answer its state has gone from the caches of the processor, and it lay in a function and its variables for each step of the way. Since it lies in few objects ([0161](decisions/0161-what-a-word-touches.md)) a word costs 0.90 of what it did, as much as theirs. From run to run it differs by more than that: 1.31, 1.61, 1.39 and 1.31 before a chunk was one piece, 1.27 before this, and since then 1.09, 1.05 and 1.41, ${ALONE} 0.99, 0.98 and 1.15 (\`npm run bench -- --only paced,budgets,telemetry\`, a whole run that is not kept because the host took a ninth of the machine, and the kept one).`,
  },
  {
    targets: ['4a', '4b'],
    why: `a chat with tools is two questions to the model and whatever a chat costs around them ([system calls](#what-a-chat-asks-of-the-system)), and ${ALONE}, whose figure stands beside ours, hardly come to it either: in three whole runs of today 22.6 to 26.9 × for one tool, and 26.7, 31.2 and 23.3 for three; 31 × for one tool in one of three before. Of our calls each is parsed, held against a schema, asked about and told of twice, in at most 60 promises; what has changed is asked once for a round, however many calls it has (${COUNTS}).`,
  },
  {
    targets: ['5a', '5b', '5c'],
    why: `whether somebody may still do what they ask is read when it is done, and never from memory alone: one way to the driver’s thread and back before the provider is asked, and with tools one more for each round. The chat without tools is the only one that comes without a pause; there ${ALONE} were within the target in six of seven whole runs and we in the last three (0.53, 0.42 and 0.55 ms; 1.07, 1.29, 1.35 and 0.79 before). Around a tool of 50 ms everybody sleeps, and then finds nothing of theirs in the caches of the processor: after 20 ms of silence a chat without tools took the relay 1.2 ms of processor in place of 0.16, ${ALONE} 2.5 in place of 0.44, us 3.5 in place of 0.56 (by hand, 80 each). So ${ALONE} fall short with tools too: with one in all, with three in four of five whole runs (1.04 in the other; 1.88, 1.7 and 1.69 in the last three). Where our time goes was marked in the code, in this very scenario, 156 chats with three tools: 1.3 ms from the request to the question, of which 0.56 until it is let in; 0.8 from the model’s answer to the tools; 0.7 from what they brought to the next question; 0.4 from the answer to its first word. All of it is what a burst does in a tenth of the time, and none of it one thing. To put off whatever the next question does not need (statuses, hashes, steps of the record) made no difference, nor did flags of V8 that keep compiled code, nor Node’s own code in large pages ([0160](decisions/0160-a-chunk-in-one-piece.md)).`,
  },
  {
    targets: ['7a', '7b'],
    why: `a message of the history is read as JSON, checked, put into the prompt, written as JSON again and put into the fingerprint of the record: four times over its text, each once, however often the model is asked (${COUNTS}); ${ALONE} do the same by hand, and show what the target leaves room for. Since answers that are over are no longer carried into V8’s old space ([0159](decisions/0159-a-chat-leaves-nothing-to-old-space.md)) it was 2.6, 2.3 and 1.6 µs in three runs, and theirs 1.6, 1.5 and 0.7; before that 3.2 to 7.2, now the one and now the other. Functions are laid out and written once for each version of an assistant; their text is still sent with each question: 1.6, 1.3 and 0.8 µs, and theirs 0.6, 0.9 and 0.2.`,
  },
  {
    targets: ['8'],
    why: `one chat is 3 rows with 46 columns, 12 entries in the trees of the file and a counter, and 7 rows of others that are looked up because they are referred to. To hand two statements to the driver's thread and to hear of them costs more than the target by itself: see ${ALONE}, who write such rows into such indexes and refer to nothing. With the steps of a run in its own row it would be 10 entries: tried by hand beside each other, 3,200 records in groups of 8, the least of seven rounds was 75 in place of 88 µs a run, one part in a hundred of a chat, for which two ways of keeping steps, that of new runs and that of old ones, were too much to pay.`,
  },
  {
    targets: ['9'],
    why: 'before its door is open a start reads 2.6 MB of code in 46 files (`test/build/loaded-modules.test.ts`); the routes of all but chats come after that ([0158](decisions/0158-the-door-opens-before-all-routes-are-there.md)). Two fifths of its processor time are reading and compiling it (`perf`, by hand, before those came later), and Node 20 keeps nothing of that; Node 22 and later do ([On Node 24](#on-node-24)). The rest is running it, of which the making of schemas is the largest part: no chat can be served before every tool and connector is there. By that it became a quarter less: in whole runs it is 304 and 271 ms on a fast host, when *the rules alone* took 251 and 180, and was 716, 619 and 636 on slower ones. *The rules alone*, with hardly any code of their own, take two thirds of it: it is how much there is, not Node ([0156](decisions/0156-a-start-in-few-files.md)).',
  },
  {
    targets: ['11'],
    why: 'two services side by side, which differ by several per cent by what their compilers happened to do, and 21 pairs tell it by some per cent only: it was 1.01, 1.03, 1.10, 1.11 and 1.13 in five whole runs. Whatever the size, nothing that a chat asks for is looked for without an index (`test/db/query/query-plans.test.ts`).',
  },
  {
    targets: ['12'],
    why: `what a chat may cost is set aside before and settled with its record: one statement more where it comes alone (${COUNTS}), in a burst none. A call that finds a block waits for nothing. What is left is 5 µs of reckoning, the garbage of that, and a longer statement for the record ([0119](decisions/0119-budgets-in-one-statement.md), where it is measured for longer: 21 pairs tell it by some per cent only). In five whole runs it was 1.06, 1.02, 1.00, 1.08 and 1.12, right after the last 1.06 in 63 pairs, and since then 1.01, 1.07 and 1.07 in 21 (\`npm run bench -- --only budgets,telemetry --rounds 15\`).`,
  },
  {
    targets: ['13c'],
    why: 'a chat is two spans, a run and a call of its model, with 14 attributes together (`src/telemetry/spans.ts`). They are made when it has ended, and written as JSON and sent in batches by OpenTelemetry’s packages, in the same process: it is off unless an address is set. They are made of what is on record, without a tracer, which took 40 µs a run in place of 72 (by hand, 8,000 runs in a loop). In whole runs it was 1.25 before that, then 1.07, 1.06 and 1.17 in 21 pairs each, 1.08 in 63 right after the last, and since then 1.03, 1.13 and 1.16 in 21.',
  },
  {
    targets: ['14a', '14b'],
    why: 'answers of the same words differ by 2.7 times in bytes, and every byte is looked at once. To read an answer of 200 words took between 71 µs (LiteLLM) and 224 (Gemini, which tells anew with each word what it has cost), the least of 80 turns of the reader alone, tried by hand. The two outermost of twelve figures are measured anew, in pairs: in three whole runs they differed by 1.22, 1.17 and 1.27. Since the kept run an answer of Gemini’s is read in 157 µs; in four runs after that it was 1.25, 1.09, 1.16 and 1.1.',
  },
];
