import type { BlobStore, S3Place } from '../../src/core/blobs.js';
import { createFolderBlobs } from './folder.js';
import { createS3Blobs, s3Asker, type S3Times } from './s3.js';

export interface LocalPlaces {
  /** Where they lie when there is no object storage. */
  readonly folder: string;
  /** Where they lie on their way, on the same disk. */
  readonly incoming: string;
}

/** Opens the blobs of one kind, which in object storage lie below its name. */
export type OpenBlobs = (kind: 'files' | 'documents' | 'attachments', local: LocalPlaces) => BlobStore;

/** In folders where no place in object storage is given. */
export function openBlobs(place: S3Place | undefined, times?: S3Times): OpenBlobs {
  if (!place) return (_kind, { folder }) => createFolderBlobs(folder);
  const ask = s3Asker(place, times);
  return (kind, { incoming }) =>
    createS3Blobs({ bucket: place.bucket, prefix: `${place.prefix}${kind}/` }, ask, incoming);
}
