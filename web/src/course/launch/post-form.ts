import { webPageOf } from '../../markdown/addresses.ts';

/** Hands the browser over to the platform: a form is the only way in which it takes what was chosen. */
export function postForm(address: string, fields: Readonly<Record<string, string>>): void {
  const action = webPageOf(address);
  if (action === undefined) throw new Error('What the platform gave is no address of a page.');
  const form = Object.assign(document.createElement('form'), { method: 'post', action, target: '_self' });
  for (const [name, value] of Object.entries(fields))
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
  document.body.append(form);
  form.submit();
}
