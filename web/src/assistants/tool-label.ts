import type { IconName } from '../ui/icons.ts';
import type { ToolEntry } from './assistants-api.ts';

const ICONS: Readonly<Record<string, IconName>> = {
  assistant: 'spark',
  http: 'link',
  image_gen: 'eye',
  mcp: 'link',
  patch_file: 'edit',
  rubric_eval: 'rubric',
  rubric_rag: 'rubric',
  simple_rag: 'book',
  single_file_rag: 'file',
};

/** What stands for a tool where there is little room. Anybody may have written its type and its name. */
export interface ToolLabel {
  readonly title: string;
  readonly icon: IconName;
}

export function toolLabel(
  { type, name }: Pick<ToolEntry, 'type' | 'name'>,
  names: Readonly<Record<string, string>>,
): ToolLabel {
  const own = (of: Readonly<Record<string, string>>) => (Object.hasOwn(of, type) ? of[type] : undefined);
  return { title: name || own(names) || type, icon: (own(ICONS) as IconName | undefined) ?? 'tool' };
}

/** What an assistant uses now, each thing once. */
export function labelsOf(
  tools: readonly ToolEntry[],
  names: Readonly<Record<string, string>>,
): readonly ToolLabel[] {
  const looks = tools.filter(({ enabled }) => enabled !== false).map((tool) => toolLabel(tool, names));
  return [...new Map(looks.map((look) => [look.title, look])).values()];
}
