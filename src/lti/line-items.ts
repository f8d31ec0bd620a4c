import { z } from 'zod';
import { oneLine } from '../core/base/text.js';
import { answerIn, LINE_ITEM_READ_SCOPE, LINE_ITEM_SCOPE, unreadable, withQuery } from './grade-service.js';
import { pages, sameOrigin } from './pages.js';
import type { ServiceCalls, ServicePlatform } from './service-call.js';

/** A grade column of a course. */
export interface LineItem {
  readonly url: string;
  readonly label: string;
  readonly scoreMaximum: number;
}

/** Which column: the one of a link, or one that we have made and marked. */
export interface LineItemWanted {
  readonly resourceLinkId?: string | undefined;
  readonly tag?: string | undefined;
}

export interface NewLineItem extends LineItemWanted {
  readonly label: string;
  readonly scoreMaximum: number;
}

/** Where the columns of a course are, and what the launch said we may do there. */
export interface LineItems {
  readonly url: string;
  readonly scopes: readonly string[];
}

/** Moodle takes no others. */
const ONE = 'application/vnd.ims.lis.v2.lineitem+json';
const SEVERAL = 'application/vnd.ims.lis.v2.lineitemcontainer+json';
const MOST_PAGES = 50;
const LONGEST_LABEL = 200;

const Item = z.object({
  id: z.string().max(2_000),
  label: z.string().catch(''),
  scoreMaximum: z.coerce.number(),
  tag: z.string().nullish().catch(undefined),
  resourceLinkId: z.string().nullish().catch(undefined),
});
const Items = z.array(z.unknown());

export async function findLineItem(
  services: ServiceCalls,
  platform: ServicePlatform,
  items: LineItems,
  wanted: LineItemWanted,
): Promise<LineItem | undefined> {
  const scope = items.scopes.includes(LINE_ITEM_SCOPE) ? LINE_ITEM_SCOPE : LINE_ITEM_READ_SCOPE;
  const query = { resource_link_id: wanted.resourceLinkId, tag: wanted.tag };
  const reading = pages({
    first: withQuery(items.url, query),
    most: MOST_PAGES,
    read: (url) => services.call(platform, [scope], { url, headers: { accept: SEVERAL } }),
  });
  for await (const page of reading) {
    const listed = Items.safeParse(answerIn(page, 'list its grade columns'));
    if (!listed.success) throw unreadable();
    // Platforms may pay no attention to what was asked for.
    const found = listed.data.find((item) => isWanted(item, wanted));
    if (found !== undefined) return lineItemIn(found, items.url);
  }
  return undefined;
}

export async function createLineItem(
  services: ServiceCalls,
  platform: ServicePlatform,
  items: LineItems,
  item: NewLineItem,
): Promise<LineItem> {
  const { label, scoreMaximum, resourceLinkId, tag } = item;
  const reply = await services.call(platform, [LINE_ITEM_SCOPE], {
    url: items.url,
    method: 'POST',
    headers: { 'content-type': ONE, accept: ONE },
    body: JSON.stringify({ label, scoreMaximum, resourceLinkId, tag }),
  });
  return lineItemIn(answerIn(reply, 'make a grade column'), items.url);
}

function isWanted(listed: unknown, { resourceLinkId, tag }: LineItemWanted): boolean {
  const { success, data } = Item.safeParse(listed);
  if (!success) return false;
  return (
    (resourceLinkId === undefined || data.resourceLinkId === resourceLinkId) &&
    (tag === undefined || data.tag === tag)
  );
}

/** Its address must be where the columns are: that is where the token may go. */
function lineItemIn(listed: unknown, itemsUrl: string): LineItem {
  const item = Item.safeParse(listed);
  const url = item.success ? sameOrigin(item.data.id, itemsUrl) : undefined;
  if (!item.success || url === undefined) throw unreadable();
  return { url, label: oneLine(item.data.label, LONGEST_LABEL), scoreMaximum: item.data.scoreMaximum };
}
