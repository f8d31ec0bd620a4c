import type { ExamWindow } from '../../../../src/http/contract/activities.ts';
import { examAt, nextChange } from '../../activities/exam-windows.ts';

/** Timers take no more than some weeks. */
const LONGEST_WAIT = 86_400_000;

/** Which exam there is now. Looks again when one begins or ends, and not in between. */
export function createExamClock(windows: () => readonly ExamWindow[]) {
  let lookedAt = $state(Date.now());
  const exam = $derived(examAt(windows(), Math.max(lookedAt, Date.now())));
  $effect(() => {
    const now = Math.max(lookedAt, Date.now());
    const next = nextChange(windows(), now);
    if (next === undefined) return undefined;
    const timer = setTimeout(
      () => {
        lookedAt = Date.now();
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
