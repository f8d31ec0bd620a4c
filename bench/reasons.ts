/** Why targets are missed, as it was counted. Each is told for those of its targets that the kept run falls short of. */
export interface Reason {
  /** As they are numbered in `bench/targets.ts`. */
  readonly targets: readonly string[];
  /** In Markdown, with what it was counted by. */
  readonly why: string;
}

const COUNTS = '`test/http/chat/hot-path-counts.test.ts`';

export const REASONS: readonly Reason[] = [
  {
    targets: ['1', '2a', '2b'],
    why: `the relay reads twice and writes twice. A chat has to do more, by its rules and not by how they are written ([system calls](#what-a-chat-asks-of-the-system)): what it is doing leaves before the provider has answered, and its end only when it is on record, so three writes go to the client in place of one; two statements go to the driver's thread and come back, one that asks what has changed and the record (${COUNTS}); the record is three rows in nine indexes of a file, of which every page that changes is written and the last one is waited for; two lines go to the log. Each of these is a call of the system that costs what a write of the relay costs. Between them a chat takes about 200 promises (counted there as well), several for each thing that is asked on the way in: who, how often, which assistant, may they, which model, what may it cost.`,
  },
  {
    targets: ['3'],
    why: `one chunk wakes a process, and most of its cost is that. Beside the relay's two calls of the system there are 6 promises, one text in JSON, one timer put off and one turn of the event loop (${COUNTS}); the reading of the event is not the dearest of them.`,
  },
  {
    targets: ['4a', '4b'],
    why: `a chat with tools is two questions to the model and whatever a chat costs around them ([system calls](#what-a-chat-asks-of-the-system)). Of its calls each is parsed, held against a schema, asked about and told of twice; what has changed is asked once for a round, however many calls it has (${COUNTS}).`,
  },
  {
    targets: ['5a', '5b', '5c'],
    why: 'the relay itself takes much of what is allowed (below). Ours adds one way to the driver’s thread and back before the provider is asked, and with tools one more for each round: whether somebody may still do what they ask is read when it is done, and never from memory alone.',
  },
  {
    targets: ['7a', '7b'],
    why: 'a message of the history is read as JSON, checked, put into the prompt, put into the fingerprint of the record, and written as JSON again: five times over its text, each once. Functions are laid out and written once for each version of an assistant; their text is still sent with each question.',
  },
  {
    targets: ['8'],
    why: 'one chat is 3 rows with 46 columns, 12 entries in the trees of the file and a counter, and 7 rows of others that are looked up because they are referred to. With the steps of a run in its own row it would be 10 entries: tried by hand beside each other, 3,200 records in groups of 8, the least of seven rounds was 75 in place of 88 µs a run, one part in a hundred of a chat, for which two ways of keeping steps, that of new runs and that of old ones, were too much to pay.',
  },
  {
    targets: ['9'],
    why: 'a start reads 3.3 MB of code (`test/build/loaded-modules.test.ts`), a fifth less than before. About a fifth of its time is compiling, which Node 20 keeps nothing of; Node 22 and later do where `NODE_COMPILE_CACHE` is set, as `npm start` does ([On Node 24](#on-node-24)).',
  },
  {
    targets: ['12'],
    why: `what a chat may cost is set aside before and settled with its record: one statement more (${COUNTS}), on disk before the provider is asked.`,
  },
  {
    targets: ['11'],
    why: 'in the kept run the service was adding up a million rows of the ledger meanwhile, which had been put in without the sums of their days. A ledger that grew has them, and the one that is made for this has them now: `npm run bench -- --only large-database`, beside a service of the same age, gave 1.00 × on a machine that others were using, so it is to be measured again.',
  },
  {
    targets: ['13c'],
    why: 'a chat is two spans, a run and a call of its model, with 14 attributes together (`src/telemetry/spans.ts`). They are made by OpenTelemetry’s packages when it has ended and written as JSON in batches, by the same process: it is off unless an address is set.',
  },
  {
    targets: ['14a', '14b'],
    why: 'answers of the same words differ by 2.7 times in bytes, and every byte is looked at once. The relay, which looks at none, differs as much from one to the other in the same run (below): this machine cannot tell what two providers differ by. That is no proof that they differ by less than the target.',
  },
];
