/// Dark and light. The system decides until the user does.

const storageKey = 'worldview.theme';
const system = matchMedia('(prefers-color-scheme: dark)');

const chosen = (): string | null => {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
};

/** Returns whether the page is dark. */
export const isDark = (): boolean => document.documentElement.dataset.theme === 'dark';

const apply = (): void => {
  const dark = (chosen() ?? (system.matches ? 'dark' : 'light')) === 'dark';
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  // Views that draw on a canvas read the colors again.
  document.dispatchEvent(new CustomEvent('themechange'));
};

/** Sets the theme, and follows the system. */
export const startTheme = (): void => {
  apply();
  system.addEventListener('change', apply);
};

/** Switches between dark and light, and remembers it. */
export const switchTheme = (): void => {
  try {
    localStorage.setItem(storageKey, isDark() ? 'light' : 'dark');
  } catch {
    // Without storage the choice ends with the page.
  }
  document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
  document.dispatchEvent(new CustomEvent('themechange'));
};
