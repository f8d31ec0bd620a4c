const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };
const inAttribute = (text: string): string => text.replace(/[&"<>]/g, (sign) => ESCAPED[sign] ?? '');

/** What is pasted into a page of another site. */
export function embedSnippet(url: string, title: string): string {
  return `<iframe src="${inAttribute(url)}" title="${inAttribute(title)}" width="100%" height="640" style="border:0" allow="clipboard-write"></iframe>`;
}
