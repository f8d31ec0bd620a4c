/** Who makes the vectors of passages, as an administrator writes it. */
export type EmbeddingChoice =
  | { readonly provider: 'none' }
  | { readonly provider: 'local' }
  | { readonly provider: 'openai' | 'ollama'; readonly model: string };

const FORM = /^(?:(none|local)|(openai|ollama):(\S{1,200}))$/;

/** Undefined for what is none of the forms: `none`, `local`, `openai:<model>`, `ollama:<model>`. */
export function embeddingChoiceOf(text: string): EmbeddingChoice | undefined {
  const [, alone, provider, model] = FORM.exec(text.trim()) ?? [];
  if (alone !== undefined) return { provider: alone as 'none' | 'local' };
  if (provider === undefined || model === undefined) return undefined;
  return { provider: provider as 'openai' | 'ollama', model };
}

export function isEmbeddingChoice(text: string): boolean {
  return embeddingChoiceOf(text) !== undefined;
}
