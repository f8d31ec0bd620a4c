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
    why: `the relay reads twice, writes twice and looks at nothing. The rules ask for more, and each of it is counted: one hash of a key and two for the trace, three readings of JSON and ten writings (${COUNTS}), 200 events to be read and told in frames of ours, two timers, one line of the log, one look and one record on the driver's thread, which is three rows in nine indexes of a file ([system calls](#what-a-chat-asks-of-the-system)). ${ALONE} do that and nothing else, and their figure stands beside ours: what is left between it and the relay's is what the rules cost in Node. What the relay itself needs differs by 1.7 times from run to run, and both figures with it: in four whole runs of two days theirs was 2.14, 2.36, 1.35 and 2.13, ours 3.31, 3.39, 2.18 and 3.51, about one and a half times as much each time. They were within once in four. What is ours beyond them is a reader for the events of any provider, and everything that can differ from one chat to the next: whose assistant, shared with whom, in which version, with which settings, limits and budgets; each is a lookup in memory and a promise or two, 166 in all. There is no peak among them: of 60 functions in a profile (Node’s own, by hand) the dearest has a fifteenth.`,
  },
  {
    targets: ['3'],
    why: `one chunk wakes a process, and most of its cost is that. Beside the relay's two calls of the system there are one text in JSON, one timer put off and no promise (${COUNTS}); ${ALONE} have the same. What is left is little, and told beside the relay it still differs from run to run: 1.31 and ${ALONE} 1.03, 1.61 and 1.24 in the next, 1.39 and 1.31 in one from which the host took a twentieth of the machine, and 1.35 to 1.41 and 1.24 to 1.43 three times by hand.`,
  },
  {
    targets: ['4a', '4b'],
    why: `a chat with tools is two questions to the model and whatever a chat costs around them ([system calls](#what-a-chat-asks-of-the-system)), and ${ALONE}, whose figure stands beside ours, do not come to it either (23 to 27 × in two whole runs, 31 × for one tool in one of three before). Of our calls each is parsed, held against a schema, asked about and told of twice, in at most 60 promises; what has changed is asked once for a round, however many calls it has (${COUNTS}).`,
  },
  {
    targets: ['5a', '5b', '5c'],
    why: `the relay itself takes half of what is allowed without tools, in slow hours nearly all (below). Whether somebody may still do what they ask is read when it is done, and never from memory alone, which is one way to the driver’s thread and back before the provider is asked (0.18 of 0.45 ms, by hand), and with tools one more for each round. Without tools ${ALONE} were within the target in three of four whole runs (0.43, 0.55, 0.73 and 0.38 ms), and we in none (1.07, 1.29, 1.35 and 0.79; 0.55 at best, tried by hand with three contenders in place of seven): between them lie the lookups of row 1, nearly all of which come before the provider is asked. With one tool ${ALONE} fall short too; with three they were within once in two runs, so that here Node is no reason. Ours is what the gate does for each call, and does before and after the tool runs: 0.19 ms of processor in the burst, while a chat that comes alone, and finds nothing in the caches of the processor, hears its first word 0.8 ms later for each. It is flat as well: of a profile of such chats (Node’s own, by hand, 400 of them) a tenth is the way to the driver, and no other function of ours has more than a twenty-fifth. What comes on top is V8 tidying up when nobody has asked for some ten seconds, as between two rounds here: it throws away what it had compiled for objects that are gone by then (the code of some 70 functions, by \`--trace-deopt\`), and the more code there is, the longer it takes to warm up again. Of 40 chats with three tools, asked for one by one after 16 s of silence, each needed 8 to 12 ms of processor in place of 5.4, and brought its first word 2.8 to 4.4 ms later in place of 2.3 (by hand, four times; of ${ALONE}, once, 3.6 to 4.5 ms in place of 3.2, and 1.1 to 1.6). With \`--no-memory-reducer\`, tried once, it was 5.3 to 7.9 and 2.1 to 2.6 ms, but then a service holds on to what the moment before left behind, 57 MB of heap in place of 33: more than a millisecond is worth.`,
  },
  {
    targets: ['7a', '7b'],
    why: `a message of the history is read as JSON, checked, put into the prompt, written as JSON again and put into the fingerprint of the record: four times over its text, each once, however often the model is asked (${COUNTS}); ${ALONE} do the same by hand, and show what the target leaves room for. In six whole runs of two days ours was 3.6, 5.0, 4.7, 3.2, 5.1 and 7.2 µs, theirs 2.5, 3.0, 3.6, 2.2, 3.9 and 3.5: within reach in Node. Ours was now the one and now the other because answers that were over were carried into V8’s old space, once anything had grown old; since the kept run they are not, and most messages are no longer copied by their schema ([0159](decisions/0159-a-chat-leaves-nothing-to-old-space.md)). Functions are laid out and written once for each version of an assistant; their text is still sent with each question. A tool more was 1.41, -0.01, 2.37, 1.7 and 4.2 µs in five of these runs, and theirs 1.07, 1.15, 1.7 and 0.96 in four: as much as runs differ by, and with the messages.`,
  },
  {
    targets: ['8'],
    why: `one chat is 3 rows with 46 columns, 12 entries in the trees of the file and a counter, and 7 rows of others that are looked up because they are referred to. To hand two statements to the driver's thread and to hear of them costs more than the target by itself: see ${ALONE}, who write such rows into such indexes and refer to nothing. With the steps of a run in its own row it would be 10 entries: tried by hand beside each other, 3,200 records in groups of 8, the least of seven rounds was 75 in place of 88 µs a run, one part in a hundred of a chat, for which two ways of keeping steps, that of new runs and that of old ones, were too much to pay.`,
  },
  {
    targets: ['9'],
    why: 'before its door is open a start reads 2.6 MB of code in 46 files (`test/build/loaded-modules.test.ts`); the routes of all but chats come after that ([0158](decisions/0158-the-door-opens-before-all-routes-are-there.md)). Two fifths of its processor time are reading and compiling it (`perf`, by hand, before those came later), and Node 20 keeps nothing of that; Node 22 and later do ([On Node 24](#on-node-24)). The rest is running it, of which the making of schemas is the largest part: no chat can be served before every tool and connector is there. Since the kept run it is a quarter less: 417 in place of 579 ms in quiet minutes, by hand; in two whole runs of slow hours it was 716 and 619, when *the rules alone* took 471 and 387. *The rules alone*, with hardly any code of their own, take two thirds of it: it is how much there is, not Node ([0156](decisions/0156-a-start-in-few-files.md)).',
  },
  {
    targets: ['11'],
    why: 'two services side by side, which differ by several per cent by what their compilers happened to do, and 21 pairs tell it by some per cent only: it was 1.01, 1.03, 1.10, 1.11 and 1.13 in five whole runs. Whatever the size, nothing that a chat asks for is looked for without an index (`test/db/query/query-plans.test.ts`).',
  },
  {
    targets: ['12'],
    why: `what a chat may cost is set aside before and settled with its record: one statement more where it comes alone (${COUNTS}), in a burst none. A call that finds a block waits for nothing. What is left is 5 µs of reckoning, the garbage of that, and a longer statement for the record ([0119](decisions/0119-budgets-in-one-statement.md), where it is measured for longer: 21 pairs tell it by some per cent only). In two whole runs since the kept one it was 1.02 and 1.00.`,
  },
  {
    targets: ['13c'],
    why: 'a chat is two spans, a run and a call of its model, with 14 attributes together (`src/telemetry/spans.ts`). They are made when it has ended, and written as JSON and sent in batches by OpenTelemetry’s packages, in the same process: it is off unless an address is set. They are made of what is on record, without a tracer, which took 40 µs a run in place of 72 (by hand, 8,000 runs in a loop).',
  },
  {
    targets: ['14a', '14b'],
    why: 'answers of the same words differ by 2.7 times in bytes, and every byte is looked at once. To read an answer of 200 words took between 71 µs (LiteLLM) and 224 (Gemini, which tells anew with each word what it has cost), the least of 80 turns of the reader alone, tried by hand. The two outermost of twelve figures are measured anew, in pairs: in three whole runs they differed by 1.22, 1.17 and 1.27. Since the kept run an answer of Gemini’s is read in 157 µs; in four runs after that it was 1.25, 1.09, 1.16 and 1.1.',
  },
];
