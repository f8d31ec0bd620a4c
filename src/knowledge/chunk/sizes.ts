/**
 * In UTF-16 units. A passage of this length is read whole by small embedding models, which see some 256 tokens, and is
 * about one thought long.
 */
export const PASSAGE_TARGET = 900;
/** What is smaller takes in what follows, or is taken in by what came before. */
export const PASSAGE_SMALL = 250;
/** A block up to this length stays whole, which leaves room for the heading above it. */
export const WHOLE_BLOCK = 1_200;
export const PASSAGE_MAX = 1_400;
/** What a model is given as the surroundings of a passage. */
export const SECTION_MAX = 4_000;
/** A sentence up to this length is repeated where a paragraph is cut after it. */
export const OVERLAP_MAX = 250;
/** The head of a table up to this length is repeated where the table is cut. */
export const TABLE_HEAD_MAX = 500;
/** A longer line is no heading, whatever it begins with. */
export const HEADING_MAX = 200;
/** A section whose text is not longer goes with the one below it. */
export const FEW_WORDS = 60;
