/** Browsers lose the thread of what is longer. */
const LONGEST_PIECE = 200;
const SENTENCES = /[^.!?…:;\n]+[.!?…:;\n]*\s*/g;

/** In pieces that end where a sentence does, if they can. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (const sentence of text.match(SENTENCES) ?? []) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + sentence.length <= LONGEST_PIECE) {
      pieces[pieces.length - 1] = last + sentence;
    } else pieces.push(sentence);
  }
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
}

/** Reads a text out, and says when it is over. Whatever was being read before ends. */
export function readAloud(text: string, language: string, over: () => void): { stop(): void } {
  speechSynthesis.cancel();
  const pieces = piecesOf(text).map((piece) => {
    const said = new SpeechSynthesisUtterance(piece);
    said.lang = language;
    return said;
  });
  const last = pieces.at(-1);
  if (!last) over();
  for (const said of pieces) {
    said.onerror = over;
    if (said === last) said.onend = over;
    speechSynthesis.speak(said);
  }
  return {
    stop() {
      speechSynthesis.cancel();
      over();
    },
  };
}
