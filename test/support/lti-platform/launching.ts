import type { ChatInput, RequestOptions, Service } from '../service.js';
import type { Claims } from './claims.js';
import { courseOf, personCalled, type Activity } from './school.js';
import { launchParams, type Pairs, signForm, type Signing } from './oauth1.js';
import type { LtiPlatform, OurTool } from './platform.js';
import { readToken, signLaunch, type SignOptions } from './signing.js';
import { type CookieJar, createJar, formIn, sendForm, type WebAnswer } from './web-forms.js';

/** Launches without a browser: every request that one would send, each of which can be made wrong on purpose. */

export interface LaunchOptions {
  readonly tool: OurTool;
  /** The username of whoever clicks. */
  readonly as: string;
  /** The tool's own first one unless told; `deep_link` opens the choice of content for a new one. */
  readonly activity?: Activity | 'deep_link';
  /** The course in which content is chosen. */
  readonly course?: number;
  /** The browser; a new one unless given. */
  readonly jar?: CookieJar;
  /** The browser of the last form, when it is another one, or has lost its cookies: `createJar()`. */
  readonly endsIn?: CookieJar;
  /** Changes what the tool is told at first. */
  readonly login?: (form: Readonly<Record<string, string>>) => Record<string, string>;
  readonly loginMethod?: 'GET' | 'POST';
  /** Changes what is signed; a member that is undefined is left out. */
  readonly change?: (claims: Claims) => Claims;
  /** How it is signed, when not as the platform would. */
  readonly sign?: Partial<SignOptions>;
  /** Changes what is posted at last. */
  readonly form?: (form: Readonly<Record<string, string>>) => Record<string, string>;
  /** The address the last form goes to, when not where the platform sends it. */
  readonly postTo?: string;
  /** Of the requests to the tool. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Launched extends WebAnswer {
  /** How far it came: `launch` is the last form, and the answer is the one to that. */
  readonly stage: 'login' | 'auth' | 'launch';
  readonly tool: OurTool;
  readonly jar: CookieJar;
  /** What was posted at last, and where. */
  readonly form: Readonly<Record<string, string>>;
  readonly postedTo: string;
  readonly claims: Claims;
  /** The launch it led to: the id in the address of the page. */
  readonly session: string | undefined;
}

/** A click on an activity, through login and authorisation to what the tool answers. */
export async function launch(platform: LtiPlatform, options: LaunchOptions): Promise<Launched> {
  const { tool, login = same, jar = createJar(), headers = {} } = options;
  const begun = { tool, jar, form: {}, postedTo: tool.loginUrl, claims: {}, session: undefined };
  const first = await clicked(platform, options);
  const asked = await sendForm(first.action, login(first.fields), {
    ...{ jar, method: options.loginMethod ?? 'POST' },
    headers: { origin: platform.issuer, ...headers },
  });
  if (asked.location === undefined) return { ...asked, ...begun, stage: 'login' };

  const answered = await sendForm(asked.location, {}, { method: 'GET', headers: loggedIn(options.as) });
  const last = formIn(answered.body, asked.location);
  if (!last) return { ...answered, ...begun, stage: 'auth' };
  const { form, claims } = await finalForm(platform, last.fields, options);
  const postedTo = options.postTo ?? last.action;
  const lastJar = options.endsIn ?? jar;
  const end = await sendForm(postedTo, form, {
    ...{ jar: lastJar, headers: { origin: platform.issuer, ...headers } },
  });
  const session = sessionIn(end.location);
  return { ...end, stage: 'launch', tool, jar: lastJar, form, postedTo, claims, session };
}

/** The same form once more: to the same service, or to another address. */
export async function replay(launched: Launched, postTo = launched.postedTo): Promise<Launched> {
  const end = await sendForm(postTo, launched.form, { jar: launched.jar });
  return { ...launched, ...end, session: sessionIn(end.location) };
}

/** Presses the button of the page that a launch led to, in the same browser unless another is given. */
export async function pressOn(launched: Launched, jar = launched.jar): Promise<Launched> {
  const next = formIn(launched.body, launched.postedTo);
  if (!next) throw new Error(`The page has no form: ${launched.body}`);
  const { action, fields: form } = next;
  const { origin } = new URL(launched.postedTo);
  const end = await sendForm(action, form, { jar, headers: { origin } });
  return { ...launched, ...end, jar, form, postedTo: action, session: sessionIn(end.location) };
}

/** Brings what was chosen back to the platform, as the picker's form does; what it made of it is in the journal. */
export const handBack = (placed: { readonly return_url: string; readonly jwt: string }): Promise<WebAnswer> =>
  sendForm(placed.return_url, { JWT: placed.jwt });

const same = (form: Readonly<Record<string, string>>) => ({ ...form });

const loggedIn = (username: string) => ({ cookie: `MoodleSession=${username}` });

async function clicked(
  { url }: LtiPlatform,
  { tool, as, activity = tool.activity, course = 2 }: LaunchOptions,
) {
  const address =
    activity === 'deep_link'
      ? `${url}/mod/lti/contentitem.php?course=${String(course)}&id=${String(tool.id)}`
      : `${url}/mod/lti/launch.php?id=${String(activity.cmid)}&triggerview=0`;
  const page = await sendForm(address, {}, { method: 'GET', headers: loggedIn(as) });
  const form = formIn(page.body, address);
  if (!form) throw new Error(`The platform lets ${as} launch nothing: ${String(page.status)} ${page.body}`);
  return form;
}

async function finalForm(
  platform: LtiPlatform,
  fields: Readonly<Record<string, string>>,
  { change, sign, form = same }: LaunchOptions,
) {
  const { id_token: token } = fields;
  if (token === undefined) return { form: form(fields), claims: {} };
  const said = readToken(token).claims;
  const claims = change ? change(said) : said;
  const isOwn = !change && !sign;
  const signed = isOwn ? token : signLaunch(claims, { key: await platform.key(), ...sign });
  return { form: form({ ...fields, id_token: signed }), claims };
}

function sessionIn(location: string | undefined): string | undefined {
  return /\/lti\/(?:activity|deep-link)\/([^/?#]+)/.exec(location ?? '')?.[1];
}

export interface Launch11Options extends Pick<LaunchOptions, 'tool' | 'as' | 'jar' | 'headers' | 'postTo'> {
  readonly activity?: Activity;
  /** Changes the parameters before they are signed. */
  readonly change?: (params: Pairs) => Pairs;
  /** How they are signed, when not as the platform would: another secret, an old time, PLAINTEXT. */
  readonly sign?: Partial<Signing>;
  /** Changes what is signed already. */
  readonly tamper?: (signed: Pairs) => Pairs;
}

export interface Launched11 extends Launched {
  readonly pairs: Pairs;
}

/** A launch of LTI 1.1; what it answers is a page that sends itself on, for `pressOn`. */
export async function launch11(platform: LtiPlatform, options: Launch11Options): Promise<Launched11> {
  const { tool, as, activity = tool.activity, jar = createJar(), headers = {} } = options;
  const { change = unchanged, tamper = unchanged } = options;
  const course = courseOf(activity.course);
  const scene = { site: platform.issuer, tool, person: personCalled(as), course, activity, nonce: '' };
  const url = activity.url ?? tool.launchUrl;
  const { consumerKey, secret } = tool;
  const pairs = tamper(signForm(change(launchParams(scene)), { url, consumerKey, secret, ...options.sign }));
  const postedTo = options.postTo ?? url;
  const end = await sendForm(postedTo, pairs, { jar, headers: { origin: platform.issuer, ...headers } });
  const form = Object.fromEntries(pairs);
  const session = sessionIn(end.location);
  return { ...end, stage: 'launch', tool, jar, form, pairs, postedTo, claims: {}, session };
}

const unchanged = (pairs: Pairs) => pairs;

/** The API as a page that was launched has it. */
export interface LaunchApi extends Pick<Service, 'request' | 'chat' | 'stream'> {
  readonly token: string;
  readonly expiresAt: string;
  /** The launch's id. */
  readonly session: string;
}

/** What the page of a launch asks first; by itself for those who expect a refusal. */
export function requestSession(
  { tool, jar, session }: Launched,
  headers: Readonly<Record<string, string>> = {},
) {
  const { service } = tool;
  return service.request<{ token: string; expires_at: string }>('/lti/session', {
    ...{ method: 'POST', key: null, body: { launch: session } },
    headers: {
      origin: new URL(tool.launchUrl).origin,
      'sec-fetch-site': 'same-origin',
      ...jar.header(),
      ...headers,
    },
  });
}

/** Opens the page that a launch led to, as far as its API is concerned. */
export async function openSession(launched: Launched): Promise<LaunchApi> {
  const { session } = launched;
  if (session === undefined)
    throw new Error(`The launch led nowhere: ${String(launched.status)} ${launched.body}`);
  const opened = await requestSession(launched);
  if (opened.status !== 200) throw new Error(`No session: ${String(opened.status)} ${opened.text}`);
  const { token, expires_at: expiresAt } = opened.json;
  const { service } = launched.tool;
  const withToken = (options?: RequestOptions) => ({ key: token, ...options });
  return {
    token,
    expiresAt,
    session,
    request: <Body>(path: string, options?: RequestOptions) =>
      service.request<Body>(path, withToken(options)),
    chat: (id: number, input: ChatInput, options) => service.chat(id, input, withToken(options)),
    stream: (id: number, input: ChatInput, options) => service.stream(id, input, withToken(options)),
  };
}
