import type { Request, Response } from 'express';
import { forbidden } from '../../../core/errors.js';
import { type OwnAddress, requireOwnAddress } from '../../middleware/own-address.js';

/** For what only our own pages may ask, also where the browser's cookie would come along for others. */
export function createOwnPageCheck(address: OwnAddress) {
  const mustBeOurs = requireOwnAddress(address);
  return (req: Request, res: Response): void => {
    const { origin, 'sec-fetch-site': site = 'same-origin' } = req.headers;
    if (origin === undefined || site !== 'same-origin') throw forbidden('Only our own pages may call this.');
    void mustBeOurs(req, res, () => undefined);
  };
}
