import { z } from 'zod';
import { DEEP_LINKING, LTI } from './claims.js';
import { html, sendPage } from './markup.js';
import type { Activity, Tool } from './school.js';
import { readToken } from './signing.js';
import { fieldsOf, type Handler, type Site } from './site.js';
import type { ToolKeys } from './tool-keys.js';

const Item = z.object({
  type: z.literal('ltiResourceLink'),
  title: z.string().default('Untitled'),
  text: z.string().default(''),
  url: z.string().optional(),
  custom: z.record(z.string(), z.coerce.string()).default({}),
  lineItem: z
    .object({
      scoreMaximum: z.number(),
      resourceId: z.string().default(''),
      tag: z.string().default(''),
    })
    .optional(),
});

const Answer = z.object({
  iss: z.string(),
  [`${LTI}message_type`]: z.literal('LtiDeepLinkingResponse'),
  [`${LTI}version`]: z.literal('1.3.0'),
  [`${LTI}deployment_id`]: z.string(),
  [`${DEEP_LINKING}content_items`]: z.array(Item).default([]),
});

/** What somebody has chosen in the tool comes back, signed, and becomes activities of the course. */
export const createContentReturn =
  (keys: ToolKeys): Handler =>
  async (site, exchange) => {
    const { JWT: token = '', course = '', id = '' } = fieldsOf(exchange);
    const tool = site.registry.tool(Number(id));
    try {
      if (!tool) throw new Error('Invalid request');
      const made = await activitiesIn(site, { token, tool, course: Number(course), keys });
      site.journal.add('deep_link', { tool: tool.id, course: Number(course), activities: made });
      await sendPage(exchange, closing(made));
      return;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      site.journal.add('deep_link_refused', { tool: tool?.id, why });
      return sendPage(
        exchange,
        html`<!DOCTYPE html><title>Error</title>
          <h1>Error</h1>
          <p>${why}</p>`,
        404,
      );
    }
  };

interface Returned {
  readonly token: string;
  readonly tool: Tool;
  readonly course: number;
  readonly keys: ToolKeys;
}

async function activitiesIn(site: Site, { token, tool, course, keys }: Returned): Promise<Activity[]> {
  if (readToken(token).claims['iss'] !== tool.clientId) throw new Error('Consumer key is incorrect');
  const answer = Answer.parse(await keys.verify(tool, token));
  if (answer[`${LTI}deployment_id`] !== String(tool.id)) throw new Error('Invalid deployment');
  const items = answer[`${DEEP_LINKING}content_items`];
  return items.map(({ title, text, url, custom, lineItem }) =>
    site.registry.addActivity({
      ...{ tool: tool.id, course, title, description: text, url, custom },
      grade: lineItem?.scoreMaximum ?? (tool.acceptGrades === 'always' ? 100 : null),
      resourceId: lineItem?.resourceId ?? '',
      tag: lineItem?.tag ?? '',
    }),
  );
}

/** The dialogue it is shown in belongs to the platform, which closes it when told so. */
const closing = (made: readonly Activity[]) =>
  html`<!DOCTYPE html>
    <html lang="en">
      <title>Content chosen</title>
      <p id="added" data-count="${made.length}">Added: ${made.map(({ title }) => title).join(', ')}</p>
      <script>
        window.parent.postMessage({ subject: 'platform.chosen' }, location.origin);
      </script>
    </html>`;
