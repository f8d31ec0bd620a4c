/** The place, without the message: that may quote what was being read. */
export function whereItBroke(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown;
  const frames = (thrown.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const code = 'code' in thrown ? String(thrown.code) : '';
  return [thrown.name, ...(code === '' ? [] : [code]), ...frames.slice(0, 6).map((line) => line.trim())].join(
    ' ',
  );
}
