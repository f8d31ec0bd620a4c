/** A dialog about one thing, or about a new one. */
export interface DialogState<Thing> {
  /** A new object each time that the dialog is opened: the key under which its form begins anew. */
  readonly subject: { readonly of?: Thing };
  isOpen: boolean;
  open(of?: Thing): void;
}

export function createDialogState<Thing>(): DialogState<Thing> {
  let subject = $state.raw<{ readonly of?: Thing }>({});
  let isOpen = $state(false);
  return {
    get subject() {
      return subject;
    },
    get isOpen() {
      return isOpen;
    },
    set isOpen(is) {
      isOpen = is;
    },
    open(of) {
      subject = of === undefined ? {} : { of };
      isOpen = true;
    },
  };
}
