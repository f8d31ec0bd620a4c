/** A list, as far as it was asked for. */
export interface Page<Row> {
  readonly data: readonly Row[];
  /** What to ask for the rest with; null after the last row. */
  readonly next_cursor: string | null;
}
