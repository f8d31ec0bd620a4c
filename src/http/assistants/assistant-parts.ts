import { Router } from 'express';
import { assistantAccess } from './access.js';
import { assistantBundles, type BundleRoutesDeps } from './bundles.js';
import { assistantConversion } from './conversion.js';
import { assistantPreview, type PreviewRoutesDeps } from './preview.js';
import { assistantSharing, type SharingRoutesDeps } from './sharing.js';
import { assistantVersions, type VersionRoutesDeps } from './versions.js';

/** Everything below one assistant's address. */
export function assistantParts(
  deps: SharingRoutesDeps & VersionRoutesDeps & PreviewRoutesDeps & BundleRoutesDeps,
): Router {
  return Router()
    .use(assistantSharing(deps))
    .use(assistantVersions(deps))
    .use(assistantConversion(deps))
    .use(assistantAccess(deps))
    .use(assistantPreview(deps))
    .use(assistantBundles(deps));
}
