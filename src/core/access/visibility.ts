/** Which assistants a caller may see, in words a database can be asked in. */
export type Visibility =
  | { readonly everything: true }
  | {
      readonly everything: false;
      readonly userId: number;
      readonly organizationId: number;
      readonly wholeOrganization: boolean;
    };
