import { expect } from 'chai';
import type { ErrorBody } from '../../support/chat-client.js';
import { PROJECT_ROOT } from '../../support/child-process.js';
import type { Answer } from '../../support/service.js';

/** A stack, a file, a statement, or a driver's or library's own words. */
const INTERNAL =
  /Too (small|big): |Invalid input: |Invalid option: |\n\s+at |node_modules|node:internal|\.[cm]?[jt]s:\d+|\/(home|tmp|usr|var|root|dist)\/|SQLITE_|select .+ from |ZodError/i;

/** Checks that an answer is a refusal in OpenAI's shape with nothing internal in it, and gives its error. */
export function refusalOf(answer: Answer<unknown>, status: number): ErrorBody {
  expect(answer.status, answer.text.slice(0, 500)).to.equal(status);
  expect(answer.headers.get('x-request-id')).to.match(/^\S{8,}$/);
  expect(answer.headers.get('content-type')).to.match(/^application\/json/);
  expect(answer.json).to.have.all.keys('error');

  const { error } = answer.json as { readonly error: ErrorBody };
  const { errors = [], ...facts } = error;
  expect(facts).to.have.all.keys('message', 'type', 'code', 'param');
  for (const { code: _code, bound: _bound, name: _name, ...fault } of errors as readonly Partial<
    Record<string, unknown>
  >[])
    expect(fault).to.have.all.keys('path', 'message');
  expect(error.message).to.be.a('string').that.is.not.empty;
  expect(error.type).to.be.a('string').that.is.not.empty;
  expect(answer.text).not.to.match(INTERNAL);
  expect(answer.text).not.to.contain(PROJECT_ROOT);
  return error;
}

export async function expectAlive(service: {
  request(path: string, options: object): Promise<Answer<unknown>>;
}): Promise<void> {
  const health = await service.request('/healthz', { key: null });
  expect(health.status).to.equal(200);
}
