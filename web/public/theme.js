// Runs before the first paint. A theme that was chosen wins over the system's; see src/theme.svelte.ts.
try {
  const theme = localStorage.getItem('bellwether.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is closed to us: the system's theme it is.
}
