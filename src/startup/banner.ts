import { modelIdOf } from '../core/assistants/assistant.js';
import { DEMO_QUESTION } from '../organizations/demo-data.js';
import type { Administrator } from './first-start.js';

export interface StartFacts {
  readonly url: string;
  readonly administrator: Administrator;
  readonly demoAssistantId: number | undefined;
}

/** What a person sees when the service is up, and what to do next. */
export function banner({ url, administrator, demoAssistantId }: StartFacts): string {
  const { user, isFirstStart, made } = administrator;
  if (!isFirstStart) return `\nBellwether is running at ${url}\n\n`;

  const password = made.password ?? 'as set in ADMIN_PASSWORD';
  const key = made.apiKey ?? 'as set in ADMIN_API_KEY';
  return [
    '',
    `Bellwether is running at ${url}`,
    '',
    `  Admin login   ${user.email}`,
    `  Password      ${password}`,
    `  API key       ${key}`,
    '',
    'Keep these: they are not shown again (ADMIN_PASSWORD and ADMIN_API_KEY set new ones).',
    ...(demoAssistantId === undefined
      ? []
      : ['', 'Try it:', '', curl(url, made.apiKey ?? '$ADMIN_API_KEY', demoAssistantId)]),
    '',
    '',
  ].join('\n');
}

function curl(url: string, key: string, assistantId: number): string {
  const body = {
    model: modelIdOf(assistantId),
    stream: true,
    messages: [{ role: 'user', content: DEMO_QUESTION }],
  };
  return [
    `curl -N ${url}/v1/chat/completions \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}
