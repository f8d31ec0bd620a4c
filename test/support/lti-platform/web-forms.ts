/** What a browser does with forms and cookies, as far as a launch needs it. */

export interface WebForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The first form of a page, with its hidden fields; undefined when it has none. */
export function formIn(page: string, base: string): WebForm | undefined {
  const [whole, attributes] = /<form\b([^>]*)>[\s\S]*?<\/form>/i.exec(page) ?? [];
  if (whole === undefined) return undefined;
  const inputs = [...whole.matchAll(/<(?:input|button)\b([^>]*)>/gi)].map(([, written]) => ({
    name: attribute(written, 'name'),
    value: attribute(written, 'value') ?? '',
  }));
  const fields = inputs.flatMap(({ name, value }) => (name === undefined ? [] : [[name, value] as const]));
  const action = attribute(attributes, 'action') ?? base;
  return { action: new URL(action, base).href, fields: Object.fromEntries(fields) };
}

function attribute(written = '', name: string): string | undefined {
  const [, quoted] = new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(written) ?? [];
  return quoted === undefined ? undefined : unescape(quoted);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescape = (text: string) =>
  text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name = '') => {
    if (hex !== undefined) return String.fromCodePoint(parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return ENTITIES[String(name)] ?? whole;
  });

/** The cookies of one browser for one service. */
export type CookieJar = ReturnType<typeof createJar>;

export function createJar(from: Readonly<Record<string, string>> = {}) {
  const cookies = new Map(Object.entries(from));
  return {
    /** Takes in the Set-Cookie lines of an answer; one that is over is thrown away. */
    take(lines: readonly string[]): void {
      for (const line of lines) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '' || /;\s*max-age=0\b/i.test(line) || /;\s*expires=[^;]*1970/i.test(line))
          cookies.delete(name);
        else cookies.set(name, value);
      }
    },
    get: (name: string) => cookies.get(name),
    header: (): Record<string, string> =>
      cookies.size === 0
        ? {}
        : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    clear: () => {
      cookies.clear();
    },
  };
}

/** How an answer looks to a browser that does not follow redirects. */
export interface WebAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** Where it leads, as a whole address. */
  readonly location: string | undefined;
  /** Its Set-Cookie lines. */
  readonly cookies: readonly string[];
}

export interface FormOptions {
  readonly jar?: CookieJar;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
}

export type FormFields = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

/** Sends a form as a browser does, with the jar's cookies, which takes in what comes back. */
export async function sendForm(
  url: string,
  fields: FormFields,
  options: FormOptions = {},
): Promise<WebAnswer> {
  const { jar, method = 'POST', headers = {} } = options;
  const form = new URLSearchParams(fields as Record<string, string>);
  const address = new URL(url);
  if (method === 'GET') for (const [name, value] of form) address.searchParams.append(name, value);
  const response = await fetch(address, {
    method,
    redirect: 'manual',
    headers: { accept: 'text/html,application/xhtml+xml', ...jar?.header(), ...headers },
    ...(method === 'POST' ? { body: form } : {}),
  });
  const cookies = response.headers.getSetCookie();
  jar?.take(cookies);
  const location = response.headers.get('location');
  return {
    status: response.status,
    headers: response.headers,
    body: await response.text(),
    location: location === null ? undefined : new URL(location, url).href,
    cookies,
  };
}
