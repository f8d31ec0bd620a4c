import type { ExtractedDocument, ExtractLimits } from '../../core/knowledge/extracted.js';
import type { FileBytes } from './recognise.js';

/** What every reader of a format gets; `onProgress` takes per cent. */
export interface Reading {
  readonly file: FileBytes;
  readonly limits: ExtractLimits;
  readonly onProgress: (percent: number) => void;
}

/** Reads one format. */
export type ReadFormat = (reading: Reading) => Promise<ExtractedDocument>;
