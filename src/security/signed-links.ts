import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** Puts claims into a token that can be read by everybody and made by nobody else. */
export interface SignedClaims {
  sign(claims: readonly unknown[]): string;
  /** Undefined for what we did not sign and what was changed since. */
  read(token: string): unknown;
}

/** Tokens for one purpose: those of another, though signed with the same secret, are none of its own. */
export function createSignedClaims(secretKey: Buffer, purpose: string): SignedClaims {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', `bellwether ${purpose} v1`, 32));
  const seal = (claims: string) => createHmac('sha256', key).update(claims).digest('base64url');

  return {
    sign(claims) {
      const written = Buffer.from(JSON.stringify(claims)).toString('base64url');
      return `${written}.${seal(written)}`;
    },
    read(token) {
      const [claims = '', given = '', ...rest] = token.split('.');
      // As texts: two spellings of the same bytes would be two tokens.
      if (rest.length > 0 || !isEqual(given, seal(claims))) return undefined;
      return JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as unknown;
    },
  };
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** One passage of a document in a collection that is here. */
export interface PassageAddress {
  readonly collectionId: string;
  readonly documentId: string;
  readonly position: number;
}

/** A passage as a link names it. */
export interface LinkedPassage extends PassageAddress {
  /** Whether this is what it said when the link was made: another edition may say something else in its place. */
  said(text: string): boolean;
}

export interface PassageLinks {
  /** An address that shows this one passage in its section to whoever has it. The same all day for the same passage. */
  linkTo(passage: PassageAddress & { readonly text?: string }): string;
  /** Undefined for what we did not sign, what was changed since, and what is past its time. */
  passageAt(token: string): LinkedPassage | undefined;
  /** Of the passage that such an address shows. */
  collectionAt(url: string): string | undefined;
}

const DAY_MS = 24 * 3_600_000;
/** Conversations are read again long after they were held. */
export const PASSAGE_LINK_DAYS = 90;
const DIGEST_CHARS = 12;

const PassageClaims = z.tuple([
  z.string(),
  z.string(),
  z.number().int().nonnegative(),
  z.string(),
  z.number().int().positive(),
]);

/** Links that need no credential, like those to pictures. */
export function createPassageLinks(
  secretKey: Buffer,
  baseUrl: string,
  now: () => number = Date.now,
): PassageLinks {
  const signed = createSignedClaims(secretKey, 'passage links');

  return {
    linkTo({ collectionId, documentId, position, text }) {
      // Whole days: a passage that is found twice in one run is one source, by its address.
      const lastDay = Math.floor(now() / DAY_MS) + PASSAGE_LINK_DAYS;
      const claims = [collectionId, documentId, position, digestOf(text), lastDay];
      return `${baseUrl}/passages/${signed.sign(claims)}#passage`;
    },
    collectionAt(url) {
      const token = /\/passages\/([^#/]+)#passage$/.exec(url)?.[1];
      return token === undefined ? undefined : passageAt(token)?.collectionId;
    },
    passageAt,
  };

  function passageAt(token: string): LinkedPassage | undefined {
    const claims = signed.read(token);
    if (claims === undefined) return undefined;
    const [collectionId, documentId, position, digest, lastDay] = PassageClaims.parse(claims);
    if (Math.floor(now() / DAY_MS) > lastDay) return undefined;
    const said = (text: string) => digest === '' || digest === digestOf(text);
    return { collectionId, documentId, position, said };
  }
}

function digestOf(text: string | undefined): string {
  if (text === undefined) return '';
  return createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_CHARS);
}

/** A picture in somebody's file store. */
export interface KeptPicture {
  readonly ownerId: number;
  readonly path: string;
}

export interface PictureLinks {
  /** An address that shows this one picture to whoever has it, for a week. */
  linkTo(picture: KeptPicture): string;
  /** Undefined for what we did not sign, what was changed since, and what is past its time. */
  pictureAt(token: string): KeptPicture | undefined;
}

const WEEK_MS = 7 * 24 * 3_600_000;

const PictureClaims = z.tuple([z.number().int().positive(), z.string(), z.number()]);

/** Links that need no credential: they are signed, so that none can be guessed or made to show anything else. */
export function createPictureLinks(
  secretKey: Buffer,
  baseUrl: string,
  now: () => number = Date.now,
): PictureLinks {
  const signed = createSignedClaims(secretKey, 'picture links');

  return {
    linkTo({ ownerId, path }) {
      return `${baseUrl}/pictures/${signed.sign([ownerId, path, now() + WEEK_MS])}`;
    },
    pictureAt(token) {
      const claims = signed.read(token);
      if (claims === undefined) return undefined;
      const [ownerId, path, expiresAt] = PictureClaims.parse(claims);
      return expiresAt > now() ? { ownerId, path } : undefined;
    },
  };
}

/** The custom parameter of a link that was chosen here: the platform brings it back with every launch. */
export const PLACEMENT_PARAMETER = 'bellwether_placement';

/** What a link holds when it is opened for the first time. */
export interface Placement {
  /** Where it was chosen: carried to another platform it says nothing. */
  readonly platformId: number;
  readonly assistantIds: readonly number[];
  /** By whose right they are used. */
  readonly addedBy: number;
  /** Which of them proposes grades, where the link has a grade column. */
  readonly evaluatorId?: number | undefined;
}

export interface Placements {
  write(placement: Placement): string;
  /** Undefined for what we did not write, and what was changed since. */
  read(token: string): Placement | undefined;
}

const Id = z.number().int().positive();
const PlacementClaims = z.tuple([Id, z.array(Id).min(1).max(50), Id, Id.optional()]);

/** Whoever may edit a link in the platform can read what is in it, and cannot make one of their own. */
export function createPlacements(secretKey: Buffer): Placements {
  const signed = createSignedClaims(secretKey, 'LTI placements');

  return {
    write: ({ platformId, assistantIds, addedBy, evaluatorId }) =>
      signed.sign([platformId, assistantIds, addedBy, ...(evaluatorId === undefined ? [] : [evaluatorId])]),
    read(token) {
      const claims = PlacementClaims.safeParse(signed.read(token));
      if (!claims.success) return undefined;
      const [platformId, assistantIds, addedBy, evaluatorId] = claims.data;
      return { platformId, assistantIds, addedBy, ...(evaluatorId === undefined ? {} : { evaluatorId }) };
    },
  };
}

/** A file or a rubric that a run read for its assistant's owner. */
export interface LinkedSource {
  readonly kind: 'file' | 'rubric';
  readonly ownerId: number;
  /** The assistant it was read for; 0 for a tool that was run by itself. */
  readonly assistantId: number;
  /** A rubric's id, or a file's path. */
  readonly id: string;
  /** As much as was read, and no more, is shown. */
  readonly maxChars: number;
}

export interface SourceLinks {
  /** An address that shows this one to whoever has it. The same all day for the same one. */
  linkTo(source: LinkedSource): string;
  /** Undefined for what we did not sign, what was changed since, and what is past its time. */
  sourceAt(token: string): LinkedSource | undefined;
}
/** As long as those to passages. */
const LINK_DAYS = 90;

const SourceClaims = z.tuple([
  z.enum(['file', 'rubric']),
  z.number().int().positive(),
  z.number().int().nonnegative(),
  z.string(),
  z.number().int().positive(),
  z.number().int().positive(),
]);

/** Links that need no credential, like those to passages. */
export function createSourceLinks(
  secretKey: Buffer,
  baseUrl: string,
  now: () => number = Date.now,
): SourceLinks {
  const signed = createSignedClaims(secretKey, 'source links');
  return {
    linkTo({ kind, ownerId, assistantId, id, maxChars }) {
      const lastDay = Math.floor(now() / DAY_MS) + LINK_DAYS;
      return `${baseUrl}/sources/${signed.sign([kind, ownerId, assistantId, id, maxChars, lastDay])}`;
    },
    sourceAt(token) {
      const claims = signed.read(token);
      if (claims === undefined) return undefined;
      const [kind, ownerId, assistantId, id, maxChars, lastDay] = SourceClaims.parse(claims);
      return Math.floor(now() / DAY_MS) > lastDay ? undefined : { kind, ownerId, assistantId, id, maxChars };
    },
  };
}
