export const badge = {
  passed: (version: number, day: string) => `Tests passed: version ${String(version)}, ${day}`,
  failed: (version: number, day: string) => `Tests failed: version ${String(version)}, ${day}`,
  untested: 'Newest version not tested yet',
};
export type BadgeWords = typeof badge;
