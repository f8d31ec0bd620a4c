export interface Piece {
  readonly text: string;
  readonly isHit: boolean;
}

/** Words that say nothing about what is asked, in the languages of the pages; folded. */
const FILLERS = new Set(
  [
    'a an and are as at be by can could did do does for from had has have how i if in into is it its me my of on or our should so that the their them there these they this to us was we were what when where which who why will with would you your',
    'al como con cual cuales cuando de del desde donde el ella ellos en entre era es esa ese eso esta este esto fue ha hay la las le les lo los mas me mi muy no nos o para pero por porque que quien se si sin sobre son su sus tambien te tiene tu un una unos y ya',
    'aixo aquest aquesta amb com de dels des el els en entre es esta ha han hi i la les li ho mes meu no nos o on per pero pel pels perque quan que qui quin quina se seva seu si sobre son un una uns va',
    'al da dago dira du dute edo egin eta ez hau hori hura nola non nor noiz zein zer zergatik bat batzuk ere bere gure',
  ].flatMap((words) => words.split(' ')),
);

const WORD = /[\p{L}\p{N}]+/gu;
/** Endings may differ, as long as the beginning does not: cell, cells; photosynthesis, photosynthetic. */
const LONGEST_ENDING = { ofShort: 1, ofLong: 3 };
const LONG = 7;
const SHORTEST_STEM = 4;

/** Cuts a text into what the words of a question hit and what they do not. Put together again it is the same text. */
export function highlight(text: string, question: string): Piece[] {
  const wanted = wordsOf(question);
  const pieces: Piece[] = [];
  const add = (piece: string, isHit: boolean) => {
    if (piece !== '') pieces.push({ text: piece, isHit });
  };
  let from = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const folded = fold(word);
    if (!wanted.some((each) => areAlike(each, folded))) continue;
    add(text.slice(from, index), false);
    add(word, true);
    from = index + word.length;
  }
  add(text.slice(from), false);
  return pieces;
}

function wordsOf(question: string): readonly string[] {
  const words = [...new Set([...question.matchAll(WORD)].map(([word]) => fold(word)))];
  const telling = words.filter((word) => !FILLERS.has(word));
  return telling.length > 0 ? telling : words;
}

const fold = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

function areAlike(a: string, b: string): boolean {
  if (a === b) return true;
  const longer = Math.max(a.length, b.length);
  const ending = longer < LONG ? LONGEST_ENDING.ofShort : LONGEST_ENDING.ofLong;
  const stem = Math.max(SHORTEST_STEM, longer - ending);
  return a.length >= stem && b.length >= stem && a.slice(0, stem) === b.slice(0, stem);
}
