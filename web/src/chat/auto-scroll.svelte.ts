/** So near to the end that whoever comes back to it wants to stay there. */
const NEAR_END = 24;
/** Browsers round where a page stands. */
const ROUNDED = 4;

/** Whether a page stays at its end while it grows. */
export interface AutoScroll {
  readonly isOn: boolean;
  /** From now on it does. */
  begin(): void;
  /** It has grown, or the end has been asked for. */
  toEnd(): void;
  /** It was moved. Its end counts as reached only where the end of the whole is drawn. */
  moved(isEndDrawn: boolean): void;
}

/** Only a movement upwards is somebody's wish to leave: growing takes the end away without moving anything. */
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
