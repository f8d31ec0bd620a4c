/** The bell of the one that leads, 10 wide and 11 high: it hangs where there is most. */
export const BELL = 'M5 0C3 0 2 2 2 4.5L1 8.5H9L8 4.5C8 2 7 0 5 0ZM3.4 8.5A1.6 2 0 0 0 6.6 8.5Z';
