const SHOWN_MS = 6_000;
/** Long enough for a screen reader to take it up; longer, and it would be found and copied along with the page. */
const SAID_MS = 7_000;

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'bad';
  readonly action?: ToastAction | undefined;
}

export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

export interface ToastOptions {
  readonly tone?: Toast['tone'];
  readonly action?: ToastAction;
  readonly shownMs?: number;
}

/** Short news, seen in a corner and heard by screen readers. */
export interface Toasts {
  readonly shown: readonly Toast[];
  /** What a screen reader says next; empty once it has had the time to take it up. */
  readonly said: string;
  show(text: string, options?: ToastOptions): number;
  dismiss(id: number): void;
  /** Heard and not seen: for what the page shows anyway. */
  say(text: string): void;
}

export function createToasts(): Toasts {
  let shown = $state.raw<readonly Toast[]>([]);
  let said = $state('');
  let latest = 0;
  let forgetting: ReturnType<typeof setTimeout> | undefined;

  const say = (text: string) => {
    // The same words twice are news only if something changes in between.
    said = said === text ? `${text}\u00a0` : text;
    clearTimeout(forgetting);
    forgetting = setTimeout(() => {
      said = '';
    }, SAID_MS);
  };
  const dismiss = (id: number) => {
    shown = shown.filter((toast) => toast.id !== id);
  };

  return {
    get shown() {
      return shown;
    },
    get said() {
      return said;
    },
    say,
    dismiss,
    show(text, { tone = 'plain', action, shownMs = SHOWN_MS } = {}) {
      const id = ++latest;
      shown = [...shown, { id, text, tone, action }];
      say(action ? `${text} ${action.label}` : text);
      setTimeout(() => {
        dismiss(id);
      }, shownMs);
      return id;
    },
  };
}
