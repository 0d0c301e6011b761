/// What the page remembers from one visit to the next. Without storage, it forgets.

/** Returns what was remembered under a name. */
export const recall = (name: string): string | undefined => {
  try {
    return localStorage.getItem(`worldview.${name}`) ?? undefined;
  } catch {
    return undefined;
  }
};

export const remember = (name: string, value: string): void => {
  try {
    localStorage.setItem(`worldview.${name}`, value);
  } catch {
    // The choice ends with the page.
  }
};
