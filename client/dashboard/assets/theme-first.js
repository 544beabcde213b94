// A classic script in the head: it runs before the first paint, so that the wrong theme never flashes.
{
  let theme;
  try {
    theme = localStorage.getItem('gateway-theme');
  } catch {
    // Storage is disabled: the system's theme applies.
  }
  if (theme === 'light' || theme === 'dark') {
    document.documentElement.dataset.theme = theme;
  }
}
