import type { Request, Response } from 'express';

/** What tells one browser from another between two of its requests. */
export interface BrowserSecrets {
  /** Undefined when the browser sends none, or nothing that could be one. */
  of(req: Request): string | undefined;
  give(res: Response, secret: string): void;
}

const WELL_FORMED = /^[\w-]{43}$/;
const NAME = 'bellwether-lti';
/** In a frame of another site, browsers keep and send no other. Nobody else, on no subdomain, can set this one. */
const IN_FRAMES = { name: `__Host-${NAME}`, traits: 'Secure; HttpOnly; Path=/; SameSite=None; Partitioned' };
/** Without https there is no cookie for frames; this one works in a window of its own, where everybody is sent then. */
const IN_WINDOWS = { name: NAME, traits: 'HttpOnly; Path=/; SameSite=Lax' };

export function createBrowserSecrets(publicUrl: string): BrowserSecrets {
  const { name, traits } = isTrustworthy(new URL(publicUrl)) ? IN_FRAMES : IN_WINDOWS;

  return {
    of({ headers }) {
      const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
      const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
      return value !== undefined && WELL_FORMED.test(value) ? value : undefined;
    },
    give(res, secret) {
      // Until the browser is closed: what it opens ends after hours anyway.
      res.append('Set-Cookie', `${name}=${secret}; ${traits}`);
    },
  };
}

/** Browsers take the machine itself for as safe as https: Chromium keeps even `__Host-` cookies of http://127.0.0.1. */
function isTrustworthy({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
