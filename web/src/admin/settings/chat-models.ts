/** Models that hear, speak, draw, measure or judge, and do not chat. */
const OTHER_KINDS =
  /embed|whisper|transcri|tts|audio|realtime|speech|dall-e|image|imagen|veo|sora|moderation|rerank|guard|babbage|davinci|instruct|search|codex|computer-use|deep-research|aqa|minilm|\bbge\b/i;

/** Small ones for everyday use that are known to chat and to call functions, best first. */
const PREFERRED = [
  /^gpt-4o-mini$/,
  /^gpt-4\.1-mini$/,
  /^gpt-5-mini$/,
  /^claude-(.+-)?haiku/,
  /^gemini-[\d.]+-flash$/,
  /^gemini-.*flash/,
  /^gpt-/,
  /^claude-(.+-)?sonnet/,
  /llama-?3/,
  /qwen/,
  /mistral/,
  /gemma/,
];

/** Of the models that a provider lists, those that may answer; all of them where none looks like it. */
export function chatModels(found: readonly string[]): readonly string[] {
  const chatting = found.filter((model) => !OTHER_KINDS.test(model));
  return chatting.length === 0 ? found : chatting;
}

/** The one to begin with; undefined where none looks as if it chats. */
export function suggestedModel(found: readonly string[]): string | undefined {
  const chatting = found.filter((model) => !OTHER_KINDS.test(model));
  for (const kind of PREFERRED) {
    // Of several, the last by name is the newest.
    const fitting = chatting.filter((model) => kind.test(model)).at(-1);
    if (fitting !== undefined) return fitting;
  }
  return chatting[0];
}
