import { createStore } from './store.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'holdfast-theme';

export const theme = createStore<Theme>('system');

export function openTheme(): void {
  const kept = localStorage.getItem(KEY);
  setTheme(THEMES.find((each) => each === kept) ?? 'system');
}

export function setTheme(next: Theme): void {
  theme.set(next);
  if (next === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, next);
  const { dataset } = document.documentElement;
  if (next === 'system') delete dataset['theme'];
  else dataset['theme'] = next;
}
