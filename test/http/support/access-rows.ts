import type { AssistantRecord } from '../../support/service.js';
import type { TestService } from '../../support/test-service.js';
import type { Person } from './users-fixture.js';

/** Everybody who may knock at a door, from furthest away to closest. */
export const ACTORS = ['stranger', 'shared', 'owner', 'orgAdmin', 'admin'] as const;
export type Actor = (typeof ACTORS)[number];
export type Statuses = readonly [
  stranger: number,
  shared: number,
  owner: number,
  orgAdmin: number,
  admin: number,
];

/** What there is to knock at, made anew once a knock has changed it, so that no knock disturbs another. */
export interface Things {
  readonly owner: Person;
  /** Somebody of the same organisation it is shared with. */
  readonly colleague: Person;
  readonly assistant: AssistantRecord;
  readonly world: TestService;
}

export interface Row {
  /** Without one, the path is fixed. */
  readonly path?: (things: Things) => string | Promise<string>;
  readonly body?: (things: Things) => object | Promise<object>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly expected: Statuses;
}

export const EVERYBODY: Statuses = [200, 200, 200, 200, 200];
