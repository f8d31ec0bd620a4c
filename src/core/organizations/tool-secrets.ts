import { createHiddenValues } from '../base/redactor.js';
import { forbidden, invalidConfiguration } from '../errors.js';
import { fillReferences, mayBeSentTo } from './secret-reference.js';

export interface ToolSecret {
  /** The hosts it may be sent to, with a port where it is not the usual one of https. */
  readonly hosts: readonly string[];
  /** Opened when asked for, which throws when it cannot be. */
  readonly value: () => string;
}

/** What a tool may do with secrets: send them where their administrator allows, and nothing else. */
export interface ToolSecrets {
  /** The text with its `${secret:NAME}` filled in, for a request to this address. Throws when one may not go there. */
  fill(text: string, url: URL | string): string;
  /** The text without what was filled in during this run, in plain or in a usual encoding. */
  hide(text: string): string;
}

/** What a header can carry. */
const IN_A_HEADER = /^[\t\x20-\x7e\x80-\xff]+$/;

export function createToolSecrets(secrets: ReadonlyMap<string, ToolSecret>): ToolSecrets {
  const filled = createHiddenValues();

  const valueFor = (name: string, url: URL): string => {
    const secret = secrets.get(name);
    if (!secret) {
      throw invalidConfiguration(
        `The secret "${name.slice(0, 64)}" is not set up. An administrator can add it to the organisation's secrets.`,
      );
    }
    if (!mayBeSentTo(secret.hosts, url)) {
      throw forbidden(
        `The secret "${name}" may not be sent to ${url.protocol}//${url.host}. An administrator can add the host to the secret's hosts.`,
      );
    }
    const value = secret.value().trim();
    if (!IN_A_HEADER.test(value)) {
      throw invalidConfiguration(
        `The secret "${name}" cannot be sent in a header. An administrator can mend it.`,
      );
    }
    filled.add(value);
    return value;
  };

  return {
    fill(text, url) {
      const address = addressIn(url);
      return fillReferences(text, (name) => valueFor(name, address));
    },
    hide: filled.hide,
  };
}

/** The address itself is not told: it may hold what is nobody's to read. */
function addressIn(url: URL | string): URL {
  if (typeof url !== 'string') return url;
  if (!URL.canParse(url)) {
    throw invalidConfiguration(
      'The address for a secret is not a whole one, such as https://api.example.org/v1.',
    );
  }
  return new URL(url);
}
