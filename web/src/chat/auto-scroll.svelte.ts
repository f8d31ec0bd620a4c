/** Pixels from the end within which scrolling down means: follow the answer again. */
const NEAR_END = 24;
/** Pixels: browsers round scroll positions. */
const ROUNDED = 4;

/** Keeps a page, or a box in it, scrolled to its end while an answer makes it grow. */
export interface AutoScroll {
  readonly isOn: boolean;
  /** From now on it does. */
  begin(): void;
  /** It has grown, or the end has been asked for. */
  toEnd(): void;
  /** It was moved. Its end counts as reached only where the end of the whole is drawn. */
  moved(isEndDrawn: boolean): void;
}

/** What is scrolled. */
interface Scrolled {
  top(): number;
  /** How much there is below what is seen. */
  below(): number;
  toEnd(): void;
}

const PAGE: Scrolled = {
  top: () => scrollY,
  below: () => document.documentElement.scrollHeight - innerHeight - scrollY,
  toEnd() {
    scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
  },
};

/** A box that scrolls by itself, once it is there. */
export function scrolledBox(box: () => HTMLElement | undefined): Scrolled {
  const below = () => {
    const { scrollHeight = 0, clientHeight = 0, scrollTop = 0 } = box() ?? {};
    return scrollHeight - clientHeight - scrollTop;
  };
  return {
    top: () => box()?.scrollTop ?? 0,
    below,
    toEnd() {
      box()?.scrollBy({ top: below(), behavior: 'instant' });
    },
  };
}

/** Only scrolling up turns it off: an answer that grows moves the end away without any scrolling. */
export function createAutoScroll(scrolled: Scrolled = PAGE): AutoScroll {
  let isOn = $state(true);
  let top = 0;

  return {
    get isOn() {
      return isOn;
    },
    begin() {
      isOn = true;
    },
    toEnd() {
      scrolled.toEnd();
      top = scrolled.top();
    },
    moved(isEndDrawn) {
      const now = scrolled.top();
      if (now < top) isOn = isOn && scrolled.below() < ROUNDED;
      else if (isEndDrawn && scrolled.below() < NEAR_END) isOn = true;
      top = now;
    },
  };
}
