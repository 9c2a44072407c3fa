// Runs before the first paint. 'system' stores nothing: the styles then follow the system alone.
// The key and the two values are those of theme.ts.
try {
  const theme = localStorage.getItem('meridian_theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; the system's preference is then the best guess.
}
