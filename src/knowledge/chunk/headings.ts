import { HEADING_MAX } from './sizes.js';

/** The headings above a place, as they open one after the other. */
export interface Outline {
  open(level: number, heading: string): void;
  reset(): void;
  /** Outermost first; with the document's own title unless it is one of the headings. */
  title(): string;
}

const NO_TITLE =
  /^(?:untitled|unknown|(?:new )?(?:document|presentation|slide|page) ?\d*|powerpoint presentation|microsoft (?:word|powerpoint|excel) ?-.*|.*\.(?:pdf|docx?|pptx?|html?|md|txt|csv|tex|dvi|indd))$/i;

export function createOutline(documentTitle: string | undefined): Outline {
  const above = usefulTitle(documentTitle);
  let path: readonly { readonly level: number; readonly title: string }[] = [];
  let isHeading = false;
  return {
    open(level, heading) {
      const title = plainTitle(heading);
      isHeading ||= title.toLowerCase() === above.toLowerCase();
      path = path.filter((one) => one.level < level);
      if (title !== '') path = [...path, { level, title }];
    },
    reset() {
      path = [];
    },
    title() {
      const headings = path.map(({ title }) => title);
      return (isHeading || above === '' ? headings : [above, ...headings]).join(' › ');
    },
  };
}

function usefulTitle(title: string | undefined): string {
  const plain = plainTitle(title ?? '');
  return /\p{L}.*\p{L}/u.test(plain) && !NO_TITLE.test(plain) ? plain : '';
}

/** As it reads, without the marks of Markdown. */
function plainTitle(heading: string): string {
  return heading
    .slice(0, HEADING_MAX)
    .replace(/[ \t]#+[ \t]*$/, '')
    .replace(/!?\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replace(/\\([^\p{L}\p{N}\s])/gu, '$1')
    .replace(/\*\*|__|`|(?<!\p{L})[*_]|[*_](?!\p{L})/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}
