/** Pixels from the end within which scrolling down means: follow the answer again. */
const NEAR_END = 24;
/** Pixels: browsers round scroll positions. */
const ROUNDED = 4;

/** Keeps a page scrolled to its end while an answer makes it grow. */
export interface AutoScroll {
  readonly isOn: boolean;
  /** From now on it does. */
  begin(): void;
  /** It has grown, or the end has been asked for. */
  toEnd(): void;
  /** It was moved. Its end counts as reached only where the end of the whole is drawn. */
  moved(isEndDrawn: boolean): void;
}

/** Only scrolling up turns it off: an answer that grows moves the end away without any scrolling. */
export function createAutoScroll(): AutoScroll {
  let isOn = $state(true);
  let top = 0;

  const below = () => document.documentElement.scrollHeight - innerHeight - scrollY;

  return {
    get isOn() {
      return isOn;
    },
    begin() {
      isOn = true;
    },
    toEnd() {
      scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
      top = scrollY;
    },
    moved(isEndDrawn) {
      if (scrollY < top) isOn = isOn && below() < ROUNDED;
      else if (isEndDrawn && below() < NEAR_END) isOn = true;
      top = scrollY;
    },
  };
}
