/// Dark and light. The system decides until the user does.
import { recall, remember } from './store.ts';

const system = matchMedia('(prefers-color-scheme: dark)');

/** Returns whether the page is dark. */
export const isDark = (): boolean => document.documentElement.dataset.theme === 'dark';

const set = (dark: boolean): void => {
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.dispatchEvent(new CustomEvent('themechange'));
};

const apply = (): void => set((recall('theme') ?? (system.matches ? 'dark' : 'light')) === 'dark');

/** Sets the theme, and follows the system. */
export const startTheme = (): void => {
  apply();
  system.addEventListener('change', apply);
};

/** Switches between dark and light, and remembers it. */
export const switchTheme = (): void => {
  remember('theme', isDark() ? 'light' : 'dark');
  set(!isDark());
};

/** Returns a color of the page, such as `--accent`, as the canvas takes it. */
export const colorOf = (element: Element, name: string): string => {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
};

/** Calls `change` when the page becomes dark or light: for what is drawn on a canvas. */
export const onTheme = (change: () => void, signal: AbortSignal): void => document.addEventListener('themechange', change, { signal });
