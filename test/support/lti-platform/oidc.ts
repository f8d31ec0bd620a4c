import { randomInt } from 'node:crypto';
import type { Exchange } from '../fakes/ledger-server.js';
import { deepLinkClaims, launchClaims } from './claims.js';
import { html, redirect, selfSubmitting, sendPage } from './markup.js';
import { launchParams, signForm } from './oauth1.js';
import { type Activity, courseOf, type Person, type Tool } from './school.js';
import { signLaunch } from './signing.js';
import { addressOf, fieldsOf, isStaff, type PendingLaunch, type Site, userOf } from './site.js';

/** The click: what the browser is told to post to the tool, in the frame or window of the activity. */
export async function launchPage(site: Site, exchange: Exchange): Promise<void> {
  const activity = site.registry.activityAt(Number(exchange.url.searchParams.get('id')));
  const tool = activity && site.registry.tool(activity.tool);
  if (!tool) return sendPage(exchange, html`<h1>Invalid course module ID</h1>`, 404);
  const person = userOf(exchange);
  if (!person) return redirect(exchange, '/login/index.php');
  if (!person.courses.includes(activity.course))
    return redirect(exchange, `/enrol/index.php?id=${String(activity.course)}`);
  if (tool.version === '1.1') return signedForm(site, exchange, { tool, activity, person });
  const launchid = `ltilaunch${String(activity.id)}_${String(randomInt(1e9))}`;
  const pending = { tool: tool.id, course: activity.course, activity: activity.id };
  const hint = { cmid: activity.cmid, launchid };
  return begin(site, exchange, { tool, person, pending, hint, target: activity.url ?? tool.launchUrl });
}

/** "Select content" in the form of a new activity. */
export async function contentItemPage(site: Site, exchange: Exchange): Promise<void> {
  const { id, course } = fieldsOf(exchange);
  const tool = site.registry.tool(Number(id));
  const person = userOf(exchange);
  if (!tool) return sendPage(exchange, html`<h1>Invalid request</h1>`, 404);
  if (!person) return redirect(exchange, '/login/index.php');
  if (!isStaff(person)) return sendPage(exchange, html`<h1>You are not allowed to do that</h1>`, 403);
  const launchid = `ltilaunch_ContentItemSelectionRequest${String(randomInt(1e9))}`;
  const pending = { tool: tool.id, course: Number(course), activity: null };
  const target = tool.contentUrl === '' ? tool.launchUrl : tool.contentUrl;
  return begin(site, exchange, { tool, person, pending, hint: { launchid }, target });
}

interface Beginning {
  readonly tool: Tool;
  readonly person: Person;
  readonly pending: PendingLaunch;
  readonly hint: { readonly launchid: string };
  readonly target: string;
}

async function begin(site: Site, exchange: Exchange, beginning: Beginning): Promise<void> {
  const { tool, person, pending, hint, target } = beginning;
  site.launches.set(hint.launchid, pending);
  const form = {
    iss: tool.issuer ?? addressOf(exchange),
    target_link_uri: target,
    login_hint: String(person.id),
    lti_message_hint: JSON.stringify(hint),
    client_id: tool.clientId,
    lti_deployment_id: String(tool.id),
  };
  site.journal.add('login', { tool: tool.id, user: person.username, form });
  return sendPage(exchange, selfSubmitting(tool.loginUrl, form));
}

interface Click {
  readonly tool: Tool;
  readonly activity: Activity;
  readonly person: Person;
}

function signedForm(site: Site, exchange: Exchange, { tool, activity, person }: Click): Promise<void> {
  const course = courseOf(activity.course);
  const scene = { site: addressOf(exchange), tool, activity, person, course, nonce: '' };
  const url = activity.url ?? tool.launchUrl;
  const { consumerKey, secret } = tool;
  site.journal.add('launch', { tool: tool.id, user: person.username, activity: activity.id, version: '1.1' });
  return sendPage(exchange, selfSubmitting(url, signForm(launchParams(scene), { url, consumerKey, secret })));
}

/** The tool asks who it was. What is wrong beyond doubt ends on a page of the platform; the tool hears of the rest. */
export async function authPage(site: Site, exchange: Exchange): Promise<void> {
  const fields = fieldsOf(exchange);
  const person = userOf(exchange);
  // The cookie does not come with a form of another site; the platform's own page posts it once more.
  if (!person && exchange.req.method === 'POST' && fields['repost'] === undefined)
    return sendPage(exchange, selfSubmitting('/mod/lti/auth.php', { ...fields, repost: '1' }));
  if (!person) return redirect(exchange, '/login/index.php');

  const asked = read(site, fields);
  const { tool } = asked;
  const isRegistered = tool?.redirectUris.includes(fields['redirect_uri'] ?? '') === true;
  const fault = asked.fault ?? faultOf(fields, person);
  const outcome = tool && isRegistered ? (fault?.error ?? 'ok') : 'invalid request';
  site.journal.add('auth', { tool: tool?.id, user: person.username, outcome, request: fields });
  const { pending } = asked;
  if (!tool || !pending || !isRegistered) return sendPage(exchange, html`<h1>Invalid request</h1>`, 404);

  const state = { state: fields['state'] ?? '' };
  const answer = fault ?? { id_token: tokenFor(site, exchange, { tool, pending, person }) };
  return sendPage(exchange, selfSubmitting(fields['redirect_uri'] ?? '', { ...answer, ...state }));
}

interface Fault extends Readonly<Record<string, string>> {
  readonly error: string;
}

interface Asked {
  readonly tool?: Tool | undefined;
  readonly pending?: PendingLaunch | undefined;
  readonly fault?: Fault | undefined;
}

const NEEDED = ['scope', 'response_type', 'client_id', 'redirect_uri', 'login_hint', 'nonce'];

/** Which click it is about. Each is asked about once. */
function read(site: Site, fields: Readonly<Record<string, string>>): Asked {
  const isWhole = NEEDED.every((name) => (fields[name] ?? '') !== '');
  const launchid = launchIdIn(fields['lti_message_hint'] ?? '');
  if (!isWhole || launchid === undefined) return {};
  if (fields['scope'] !== 'openid' || fields['response_type'] !== 'id_token') return {};
  const pending = site.launches.get(launchid);
  site.launches.delete(launchid);
  const tool = pending && site.registry.tool(pending.tool);
  if (!tool) return {};
  const isClient = fields['client_id'] === tool.clientId;
  return { tool, pending, fault: isClient ? undefined : { error: 'unauthorized_client' } };
}

function launchIdIn(hint: string): string | undefined {
  try {
    return (JSON.parse(hint) as { launchid?: string }).launchid;
  } catch {
    return undefined;
  }
}

function faultOf(fields: Readonly<Record<string, string>>, person: Person): Fault | undefined {
  const invalid = (what: string) => ({ error: 'invalid_request', error_description: `Invalid ${what}` });
  if (fields['login_hint'] !== String(person.id)) return { error: 'access_denied' };
  if (fields['response_mode'] !== 'form_post') return invalid('response_mode');
  if ((fields['prompt'] ?? 'none') !== 'none') return invalid('prompt');
  return undefined;
}

interface Answered {
  readonly tool: Tool;
  readonly pending: PendingLaunch;
  readonly person: Person;
}

function tokenFor(site: Site, exchange: Exchange, { tool, pending, person }: Answered): string {
  const nonce = fieldsOf(exchange)['nonce'] ?? '';
  const scene = { site: addressOf(exchange), tool, person, course: courseOf(pending.course), nonce };
  const activity = pending.activity === null ? undefined : site.registry.activity(pending.activity);
  const claims = activity ? launchClaims({ ...scene, activity }) : deepLinkClaims(scene);
  site.journal.add('launch', { tool: tool.id, user: person.username, activity: pending.activity });
  return signLaunch(claims, { key: site.keyring.signing() });
}
