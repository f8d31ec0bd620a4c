import type { ExamWindow } from '../../../../src/http/contract/activities.ts';
import { examAt, nextChange } from '../../activities/exam-windows.ts';

/** Timers take no more than some weeks. */
const LONGEST_WAIT = 86_400_000;

/** Which exam there is now. Looks again when one begins or ends, and not in between. */
export function createExamClock(windows: () => readonly ExamWindow[]) {
  let looks = $state(0);
  const exam = $derived.by(() => {
    void looks;
    return examAt(windows(), Date.now());
  });
  $effect(() => {
    void looks;
    const now = Date.now();
    const next = nextChange(windows(), now);
    if (next === undefined) return undefined;
    const timer = setTimeout(
      () => {
        looks += 1;
      },
      Math.min(next - now, LONGEST_WAIT),
    );
    return () => {
      clearTimeout(timer);
    };
  });
  return {
    get exam() {
      return exam;
    },
  };
}
