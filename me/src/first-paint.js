// This runs before the first paint and before any module. The key is that of the console's theme.ts.
try {
  const theme = localStorage.getItem('meridian_theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden: the styles then follow the system, as they do for 'system'.
}
