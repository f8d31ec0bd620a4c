import type { Me } from '../../../src/http/contract/admin.ts';
import type { Credential } from '../api/client.ts';

const STORED = 'bellwether.session';
const CHANNEL = 'bellwether.session';
/** How long a new tab waits for the others to lend it the session. */
const OTHERS_MS = 80;

type Word = { readonly type: 'ask' | 'out' } | { readonly type: 'have'; readonly token: string };

/**
 * Who is signed in. The token is kept in memory and in sessionStorage: it outlives a reload but not the tab, is in no
 * cookie that another site could make the browser send, and is never on disk for the next person at a shared
 * computer. Tabs lend it to each other, so that a link opened in a new one does not ask for the password again.
 */
export interface Session extends Credential {
  readonly user: Me | undefined;
  /** Takes up a session that this tab or another one has. */
  resume(): Promise<void>;
  begin(token: string): void;
  learn(user: Me): void;
  end(): void;
}

export function createSession(): Session {
  let token: string | undefined;
  let user = $state.raw<Me>();
  const others = new BroadcastChannel(CHANNEL);
  const tell = (word: Word) => {
    others.postMessage(word);
  };

  const forget = () => {
    token = undefined;
    user = undefined;
    sessionStorage.removeItem(STORED);
  };
  const keep = (given: string) => {
    token = given;
    sessionStorage.setItem(STORED, given);
  };

  others.addEventListener('message', ({ data }: MessageEvent<Word>) => {
    if (data.type === 'ask' && token !== undefined) tell({ type: 'have', token });
    if (data.type === 'out') forget();
  });

  const borrowed = () =>
    new Promise<string | undefined>((resolve) => {
      others.addEventListener('message', ({ data }: MessageEvent<Word>) => {
        if (data.type === 'have') resolve(data.token);
      });
      setTimeout(resolve, OTHERS_MS);
      tell({ type: 'ask' });
    });

  return {
    get user() {
      return user;
    },
    token: () => token,
    async resume() {
      const found = sessionStorage.getItem(STORED) ?? (await borrowed());
      if (found !== undefined) keep(found);
    },
    begin: keep,
    learn(who) {
      user = who;
    },
    refused: forget,
    end() {
      forget();
      tell({ type: 'out' });
    },
  };
}
