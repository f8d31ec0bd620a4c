import { Router } from 'express';

/** Alive as long as it answers; ready as long as it takes new work. */
export function health({ isReady }: { readonly isReady: () => Promise<boolean> }): Router {
  return Router()
    .get('/healthz', (_req, res) => {
      res.json({ status: 'ok' });
    })
    .get('/readyz', async (_req, res) => {
      const ready = await isReady();
      res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready' });
    });
}
