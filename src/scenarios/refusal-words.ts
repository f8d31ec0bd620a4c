/** How assistants decline, in four languages; whole words, without regard to case. For organisations without a small model. */
const PHRASES: Readonly<Record<string, readonly string[]>> = {
  en: [
    ...["i can't", 'i can’t', 'i cannot', 'i can not', "i won't", 'i won’t', 'i will not'],
    ...["i'm not able to", 'i’m not able to', 'i am not able to', "i'm unable to", 'i’m unable to'],
    ...[
      'i am unable to',
      "i'm sorry, but",
      'i’m sorry, but',
      'i am sorry, but',
      "i don't do",
      'i must decline',
    ],
    ...['i have to decline', "i'm not allowed", 'i’m not allowed', 'i am not allowed'],
  ],
  es: [
    ...['no puedo', 'no podré', 'no voy a', 'no me es posible', 'no estoy autorizado', 'no estoy autorizada'],
    ...['lo siento, pero', 'lamento no', 'no me está permitido', 'no tengo permitido', 'debo negarme'],
  ],
  ca: [
    ...['no puc', 'no podré', 'no ho faré', "no m'és possible", 'no m’és possible', 'no estic autoritzat'],
    ...[
      'no estic autoritzada',
      'ho sento, però',
      'em sap greu, però',
      "no m'està permès",
      'no m’està permès',
    ],
  ],
  eu: [
    ...['ezin dut', 'ezin dizut', 'ezin izango dut', 'ezin dizkizut', 'ez dut egingo', 'ez dizut emango'],
    ...['sentitzen dut, baina', 'barkatu, baina', 'ez daukat baimenik', 'ez dut baimenik'],
  ],
};

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const REFUSAL = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${Object.values(PHRASES).flat().map(escaped).join('|')})(?![\\p{L}\\p{N}])`,
  'iu',
);

/** The words by which it declines. */
export function refusalIn(answer: string): { readonly at: number; readonly words: string } | undefined {
  const found = REFUSAL.exec(answer.normalize('NFC'));
  return found ? { at: found.index, words: found[0] } : undefined;
}
