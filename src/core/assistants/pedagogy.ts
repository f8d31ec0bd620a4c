/** How an assistant is to teach, whatever its author's prompt says. Only what is switched on is there. */
export interface Pedagogy {
  /** Whoever asks shows an attempt of their own before they are helped. */
  readonly attemptFirst?: true;
  /** Help comes in so many steps, one with each answer. */
  readonly hintLevels?: number;
  readonly noSolutions?: true;
  /** What it talks about, and nothing else. */
  readonly topic?: string;
}
