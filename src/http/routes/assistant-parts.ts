import { Router } from 'express';
import { assistantAccess } from './assistant-access.js';
import { assistantBundles, type BundleRoutesDeps } from './assistant-bundles.js';
import { assistantConversion } from './assistant-conversion.js';
import { assistantPreview, type PreviewRoutesDeps } from './assistant-preview.js';
import { assistantSharing, type SharingRoutesDeps } from './assistant-sharing.js';
import { assistantVersions, type VersionRoutesDeps } from './assistant-versions.js';

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
