import type { RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { AppDeps } from './app.js';
import { createFastPath } from './chat/fast-path.js';
import { createVisitorLimits } from './links/visitor-limits.js';
import { createAdmission } from './middleware/admission.js';
import { tellFault } from './middleware/error-handler.js';

export interface FrontDoor {
  readonly listener: RequestListener;
  /** Has all routes there, not only that of chats. */
  load(): Promise<void>;
}

/**
 * Chats can be answered before the routes of everything else are loaded, which takes a quarter of a start. Who asks for
 * one of those meanwhile waits for that, and for nothing else.
 */
export function createFrontDoor(deps: AppDeps): FrontDoor {
  const { stores, limit } = deps;
  const visitorLimits = createVisitorLimits(deps);
  const admit = createAdmission({ credentials: stores.credentials, limit, visitorLimits });
  let app: RequestListener | undefined;
  let loading: Promise<RequestListener> | undefined;

  const loaded = () => (loading ??= loadApp());
  async function loadApp(): Promise<RequestListener> {
    const { createApp } = await import('./app.js');
    // Chats that have come meanwhile are served in between, which an immediate would be too early for.
    await pause();
    return (app = createApp(deps, { admit, visitorLimits }));
  }
  const waiting: RequestListener = (req, res) => {
    loaded().then(
      (app) => {
        app(req, res);
      },
      (fault: unknown) => {
        tellFault(fault, res, deps);
      },
    );
  };

  return {
    listener: createFastPath({ ...deps, admit }, (req, res) => {
      (app ?? waiting)(req, res);
    }),
    async load() {
      await loaded();
    },
  };
}
