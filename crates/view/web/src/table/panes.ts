/// Whether the details are shown: as the user left them, or if there is room.
const storageKey = 'worldview.table.details';

export const rememberDetails = (shown: boolean): void => {
  try {
    localStorage.setItem(storageKey, shown ? 'shown' : 'hidden');
  } catch {
    // Without storage the choice ends with the page.
  }
};

export const wantsDetails = (): boolean => {
  try {
    const choice = localStorage.getItem(storageKey);
    // On a phone the details cover half of the table, so they open only when asked for.
    if (choice) return choice === 'shown' && innerWidth >= 800;
  } catch {
    // Nothing is remembered.
  }
  return innerWidth >= 1000;
};
