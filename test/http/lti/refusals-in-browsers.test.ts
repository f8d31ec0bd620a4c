import { expect } from 'chai';
import type { Request, Response } from 'express';
import type { AuditEntry } from '../../../src/core/access/audit.js';
import { AppError } from '../../../src/core/errors.js';
import { recordingRefusals, type Step, type TurningAwayDeps } from '../../../src/http/lti/launch/refusals.js';
import { SINGLE_PROCESS } from '../../../src/http/peers.js';
import { setAddress } from '../../../src/http/middleware/request-facts.js';
import { refusedLaunch } from '../../../src/lti/refusals.js';

describe('refusing launches', () => {
  let entries: AuditEntry[];
  let coming: (step: Step, ip?: string) => Promise<AppError | undefined>;
  beforeEach(() => {
    entries = [];
    const audit = {
      record: (entry: AuditEntry) => {
        entries.push(entry);
        return Promise.resolve();
      },
    };
    const guarded = recordingRefusals({ audit, peers: SINGLE_PROCESS } as unknown as TurningAwayDeps);
    coming = async (step, ip = '192.0.2.1') => {
      try {
        const res = {} as Response;
        setAddress(res, ip);
        await guarded('LTI launch', step)({} as Request, res, () => undefined);
        return undefined;
      } catch (fault) {
        if (fault instanceof AppError) return fault;
        throw fault;
      }
    };
  });
  const refused: Step = () => Promise.reject(refusedLaunch('signature is wrong'));

  it('is on record with its reason, whoever is refused', async () => {
    const fault = await coming(refused);

    expect(fault).to.include({ status: 403, code: 'launch_refused' });
    expect(entries).to.deep.equal([
      {
        ...{ action: 'LTI launch', outcome: 'denied', userId: null, organizationId: null, runId: null },
        ...{ resource: 'LTI platform', reason: 'signature is wrong' },
      },
    ]);
  });

  it('is neither explained nor on record beyond a thousand a minute from one address', async () => {
    for (let at = 0; at < 1_000; at++) await coming(refused);

    expect(await coming(refused)).to.include({ status: 429, code: 'rate_limit_exceeded' });
    expect(entries).to.have.length(1_000);
    expect(await coming(refused, '192.0.2.2')).to.include({ status: 403 });
  });

  it('takes nothing from those who are let in', async () => {
    for (let at = 0; at < 1_100; at++) await coming(refused);

    expect(await coming(() => Promise.resolve())).to.equal(undefined);
  });

  it('does not call a fault of ours a refusal', async () => {
    const broken: Step = () => Promise.reject(new TypeError('broken'));

    const fault: unknown = await coming(broken).catch((thrown: unknown) => thrown);

    expect(fault).to.be.instanceOf(TypeError);
    expect(entries).to.deep.equal([]);
  });
});
