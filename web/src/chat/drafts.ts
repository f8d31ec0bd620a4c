const STORED = 'bellwether.draft.';

/** Words that were not sent yet. They outlive a reload but not the tab, as the session does. */
export const drafts = {
  of: (place: string): string => sessionStorage.getItem(STORED + place) ?? '',
  keep(place: string, text: string): void {
    if (text === '') sessionStorage.removeItem(STORED + place);
    else sessionStorage.setItem(STORED + place, text);
  },
};
