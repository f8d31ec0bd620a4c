import type { Page } from 'playwright-core';
import { visit, type Visit, type VisitOptions } from '../../support/browser.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { aPerson, aSessionOf, publish, type Person } from '../../http/support/users-fixture.js';
import type { Service } from '../../support/service.js';

const PASSWORD = 'a password for the browser';

export interface Visitor extends Visit {
  readonly person: Person;
}

export interface SomeDocument {
  readonly name: string;
  readonly text: string;
}

/** Somebody who can sign in. */
export const aUser = (service: Service): Promise<Person> => aPerson(service, { password: PASSWORD });

/** Somebody, new unless given, in a new browser profile that has a session of theirs, at this path. */
export async function signedIn(
  service: Service,
  path: string,
  { as, ...options }: VisitOptions & { readonly as?: Person } = {},
): Promise<Visitor> {
  const person = as ?? (await aPerson(service));
  const token = await aSessionOf(service, person);
  const visiting = await visit(service.url, options);
  await visiting.page.evaluate(`sessionStorage.setItem('bellwether.session', '${token}')`);
  await visiting.page.goto(path);
  return { person, ...visiting };
}

/**
 * Goes on to another page of ours as a link does, which takes half of what loading everything anew takes. By way of a
 * page that is nowhere: what the one before showed cannot be taken for what the next one shows.
 */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await page.evaluate(`(async () => {
    const go = async (to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
      await new Promise((resolve) => setTimeout(resolve));
    };
    await go('/nowhere');
    document.querySelector('h1').dataset.left = '';
    await go(${JSON.stringify(address)});
  })()`);
  await page.locator('h1[data-left]').waitFor({ state: 'detached' });
}

export async function fillIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.keyboard.press('Enter');
}

/** Lets go of files over the place that takes them, as somebody does who has dragged them there. */
export async function drop(page: Page, ...files: readonly SomeDocument[]): Promise<void> {
  const given = JSON.stringify(files);
  const dataTransfer = await page.evaluateHandle<unknown>(`(() => {
    const data = new DataTransfer();
    for (const { name, text } of ${given}) data.items.add(new File([text], name));
    return data;
  })()`);
  for (const event of ['dragenter', 'dragover', 'drop'])
    await page.getByTestId('drop-zone').dispatchEvent(event, { dataTransfer });
}

/** What the page asks for by this method at such addresses waits until it is let go. */
export async function holdBack(page: Page, addresses: string, method: string): Promise<() => void> {
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(addresses, async (route) => {
    if (route.request().method() === method) await gate;
    await route.fallback();
  });
  return letGo;
}

/** A collection made by way of the API, with documents that are ready. */
export async function aCollection(
  service: Service,
  { key }: Person,
  documents: readonly SomeDocument[] = [],
): Promise<{ readonly id: string; readonly name: string; readonly documentIds: readonly string[] }> {
  const name = uniqueName('collection');
  const { json } = await service.request<{ id: string }>('/lamb/v1/collections', { key, body: { name } });
  const documentIds = [];
  for (const document of documents)
    documentIds.push(await addDocument(service, { key, id: json.id }, document));
  return { id: json.id, name, documentIds };
}

async function addDocument(
  service: Service,
  { key, id }: { readonly key: string; readonly id: string },
  { name, text }: SomeDocument,
): Promise<string> {
  const body = new FormData();
  body.append('file', new Blob([text]), name);
  const path = `/lamb/v1/collections/${id}/documents`;
  const { json, text: said } = await service.request<{ documents: { id: string }[] }>(path, { key, body });
  const added = json.documents[0];
  if (!added) throw new Error(`No document was added: ${said}`);
  await untilSettled(service, { key, path: `${path}/${added.id}` });
  return added.id;
}

async function untilSettled(service: Service, { key, path }: { key: string; path: string }): Promise<void> {
  for (;;) {
    const { json } = await service.request<{ status: string }>(path, { key });
    if (!['queued', 'processing'].includes(json.status)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A published assistant with a tool, whose system prompt was changed once; its id. */
export async function anAssistantWithPast(service: Service, person: Person): Promise<string> {
  const metadata = { _format_version: 2, tools: [{ type: 'weather', mode: 'function', config: {} }] };
  const { id, name } = await service.createAssistant({ system_prompt: 'Be kind.', metadata }, person);
  const body = { name, version: 2, system_prompt: 'Be kind and fair.' };
  await publish(service, id, 'organization', person);
  const path = `/lamb/v1/assistants/${String(id)}`;
  const { status } = await service.request(path, { method: 'PUT', key: person.key, body });
  if (status !== 200) throw new Error(`The assistant was not changed: ${String(status)}`);
  return String(id);
}

/** Texts that each hold one fact, so that a question finds one of them. */
export const CELLS: SomeDocument = {
  name: 'cells.md',
  text: [
    '# Cells\n\nCells are the smallest units of life. Every living thing is made of at least one of them.',
    '# Photosynthesis\n\nPlants turn light into sugar in their chloroplasts, and set oxygen free.',
    '# Respiration\n\nMitochondria burn sugar with oxygen, which gives the cell its energy.',
  ].join('\n\n'),
};
