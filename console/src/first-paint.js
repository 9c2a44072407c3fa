// Runs before the first paint and before any module. The keys are those of theme.tsx in the
// kit and of TOKEN_STORAGE_KEY in the contract.
try {
  // 'system' stores nothing: the styles then follow the system alone.
  const theme = localStorage.getItem('meridian_theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;

  // Beside the entry script rather than after it, and never for the login.
  if (localStorage.getItem('admin_token') !== null) {
    const { content } = document.querySelector('meta[name=signed-in-modules]');
    const { all, pages } = JSON.parse(content || '{"all":[],"pages":[]}');
    const path = location.pathname.replace(/(?!^)\/+$/, '');
    const [, own = []] = pages.find(([pattern]) => new RegExp(pattern).test(path)) ?? [];
    for (const href of [...all, ...own]) {
      const link = document.createElement('link');
      document.head.append(Object.assign(link, { rel: 'modulepreload', href }));
    }
  }
} catch {
  // Storage may be forbidden: the system's theme, and modules when they are imported.
}
