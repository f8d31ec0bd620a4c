import { StringDecoder } from 'node:string_decoder';

const END = '\n\n';
const DATA = 'data: ';
const CONTENT = '"content":"';

/**
 * Reads the events of an answer, however they are cut into reads. Those that differ from the first one with words in these
 * words alone are known by what stands around them, all of a read at once; any other is parsed.
 */
export function createEventReader() {
  const decoder = new StringDecoder('utf8');
  const calls = [];
  let usage;
  let rest = '';
  let around;

  function parse(event) {
    if (!event.startsWith(DATA) || event === 'data: [DONE]') return '';
    const { choices, usage: told, error } = JSON.parse(event.slice(DATA.length));
    if (error) throw new Error('the provider has failed');
    if (told) usage = told;
    const delta = choices?.[0]?.delta;
    for (const { index, id, function: called } of delta?.tool_calls ?? []) {
      const call = (calls[index] ??= { id, name: called.name, args: '' });
      call.args += called.arguments ?? '';
    }
    const words = delta?.content ?? '';
    if (words !== '') around ??= whatStandsAround(words, event);
    return words;
  }

  function parseAll(text) {
    return text.split(END).reduce((words, event) => words + parse(event), '');
  }

  function wordsIn(text) {
    const { before, after, between } = around;
    let words = '';
    for (const event of text.replaceAll(between, '').split(END)) {
      const isAlike = event.startsWith(before) && event.endsWith(after);
      const middle = isAlike ? event.slice(before.length, -after.length) : parse(event);
      if (isAlike && /["\\]/.test(middle)) return parseAll(text);
      words += middle;
    }
    return words;
  }

  return {
    read(bytes) {
      const text = rest + decoder.write(bytes);
      const whole = text.lastIndexOf(END) + END.length;
      if (whole < END.length) {
        rest = text;
        return '';
      }
      rest = text.slice(whole);
      let words = '';
      let from = 0;
      while (!around && from < whole) {
        const to = text.indexOf(END, from);
        words += parse(text.slice(from, to));
        from = to + END.length;
      }
      return from < whole ? words + wordsIn(text.slice(from, whole)) : words;
    },
    calls: () => calls,
    usage: () => usage,
  };
}

function whatStandsAround(words, event) {
  const quoted = JSON.stringify(words).slice(1);
  const at = event.indexOf(CONTENT + quoted) + CONTENT.length;
  if (at < CONTENT.length) return undefined;
  const [before, after] = [event.slice(0, at), event.slice(at + quoted.length - 1)];
  return { before, after, between: after + END + before };
}
