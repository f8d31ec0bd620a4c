/** Does something again and again, each time after the last has ended, and not while nobody is looking. */
export function poll(run: () => Promise<void>, everyMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;

  const next = () => {
    clearTimeout(timer);
    if (!isOver && !document.hidden) timer = setTimeout(turn, everyMs);
  };
  const turn = () => void run().finally(next);
  const looked = () => {
    if (!document.hidden) next();
  };

  document.addEventListener('visibilitychange', looked);
  next();
  return () => {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', looked);
  };
}
