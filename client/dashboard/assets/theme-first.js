// Runs before the first paint, so that a chosen theme never flashes in the other one.
{
  let theme;
  try {
    theme = localStorage.getItem('gateway-theme');
  } catch {
    // Storage may be switched off; the system's theme is used then.
  }
  if (theme === 'light' || theme === 'dark') {
    document.documentElement.dataset.theme = theme;
  }
}
