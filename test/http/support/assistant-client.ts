import type { RequestOptions } from '../../support/service.js';
import type { TestService } from '../../support/test-service.js';
import type { Person } from './users-fixture.js';

const ASSISTANTS = '/lamb/v1/assistants';

/** Asks about one assistant's parts, as somebody. */
export interface AssistantClient {
  get<Body = Record<string, unknown>>(part: string): Sent<Body>;
  post<Body = Record<string, unknown>>(part: string, body?: object): Sent<Body>;
  put<Body = Record<string, unknown>>(part: string, body: object): Sent<Body>;
  remove(part: string): Sent<unknown>;
}

type Sent<Body> = ReturnType<typeof sendOf<Body>>;
const sendOf = <Body>({ service }: Pick<TestService, 'service'>, path: string, options: RequestOptions) =>
  service.request<Body>(path, options);

/** `part` is what follows the address of all assistants: `/7/shares`. */
export function clientOf(world: Pick<TestService, 'service'>, { key }: Pick<Person, 'key'>): AssistantClient {
  return {
    get: (part) => sendOf(world, ASSISTANTS + part, { key }),
    post: (part, body) => sendOf(world, ASSISTANTS + part, { key, method: 'POST', body }),
    put: (part, body) => sendOf(world, ASSISTANTS + part, { key, method: 'PUT', body }),
    remove: (part) => sendOf(world, ASSISTANTS + part, { key, method: 'DELETE' }),
  };
}

export interface Listed<Row = Record<string, unknown>> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}
