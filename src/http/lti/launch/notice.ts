export interface Notice {
  readonly title: string;
  readonly text: string;
  /** What exactly was wrong is in the message of the fault, and is told as well. */
  readonly isGeneral?: boolean;
}
