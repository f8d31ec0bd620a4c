/** How long and how hard: some seconds among all other tests, minutes in `npm run test:replicas`. */
export interface Scale {
  /** How many chat at the same time, and as many have their answers streamed. */
  readonly people: number;
  readonly kills: number;
  readonly drains: number;
  readonly outages: number;
  readonly betweenBlowsMs: number;
  /** Nobody asks more often, so that the load is steady and stays below the limit of a key. */
  readonly betweenActsMs: number;
  /** How many questions there is a budget for: not quite enough for a storm. */
  readonly budget: number;
  /** Of the requests of one key a minute. */
  readonly rateLimit: number;
  /** Uploaded to one knowledge base at the same time. */
  readonly documents: number;
  /** Of one file at the same time. */
  readonly patches: number;
  /** Works whose grades are approved at all replicas at the same moment. */
  readonly works: number;
  /** Of the proxy at whether a replica is ready. */
  readonly betweenLooksMs: number;
  /** Hears how far it has come. */
  tell(line: string): void;
}

const SHORT: Scale = {
  ...{
    people: 3,
    kills: 1,
    drains: 1,
    outages: 1,
    betweenBlowsMs: 500,
    betweenActsMs: 2_000,
    budget: 10,
    rateLimit: 240,
    documents: 12,
    patches: 6,
    works: 3,
    betweenLooksMs: 300,
  },
  tell: () => undefined,
};

const FULL: Scale = {
  ...{
    people: 6,
    kills: 15,
    drains: 5,
    outages: 2,
    betweenBlowsMs: 4_000,
    betweenActsMs: 250,
    budget: 250,
    rateLimit: 400,
    documents: 30,
    patches: 9,
    works: 6,
    betweenLooksMs: 100,
  },
  tell: (line) => void process.stdout.write(`${line}\n`),
};

export const SCALE = process.env['TEST_REPLICAS'] === 'full' ? FULL : SHORT;
