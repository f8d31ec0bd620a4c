import { oneLine } from '../../core/base/text.js';
import { AppError, unusableAnswer } from '../../core/errors.js';
import type { SourceFault, SourceFaultCode } from '../../core/knowledge/source-faults.js';

const LONGEST_VALUE = 300;

/** What went wrong, in words for the owner of a source, with what belongs into them in any language. */
export function faultOf(
  code: SourceFaultCode,
  message: string,
  ...values: readonly (string | number)[]
): SourceFault {
  const some = values.map((value) => oneLine(String(value), LONGEST_VALUE));
  return { message, code, ...(some.length > 0 && { values: some }) };
}

/** The same, thrown. */
export function refusal(...told: Parameters<typeof faultOf>): AppError {
  const { message, code, values } = faultOf(...told);
  return unusableAnswer(message, { reason: code, values });
}

/** Of what others throw: the sentence is theirs. */
const CODES: ReadonlyMap<string, SourceFaultCode> = new Map([
  ['timeout', 'timed_out'],
  ['upstream_failed', 'no_answer'],
  ['too_large', 'too_large'],
  ['storage_unavailable', 'storage_unavailable'],
]);

export function failureOf(fault: unknown): SourceFault {
  if (!(fault instanceof AppError)) return faultOf('unreachable', 'It could not be reached.');
  if (fault.status === 403 && fault.message.includes('may not be called'))
    return faultOf(
      'address_not_allowed',
      'It is on an address that the administrator of this service does not allow (OUTBOUND_ALLOW).',
    );
  const { message, reason, values, code } = fault;
  if (reason !== undefined) return { message, code: reason, ...(values && { values }) };
  return { message: message.replace(/^The other service/, 'It'), code: CODES.get(code) };
}
