/** What a platform's signed message says, once it is proved. Whatever a person or a course is called in it is data. */

export type LaunchRole = 'instructor' | 'learner';

/** Where the platform takes grades and tells who is in the course, as far as it offers that. */
export interface LaunchServices {
  /** The grade column of this very link. */
  readonly lineItemUrl?: string | undefined;
  /** All grade columns of the course. */
  readonly lineItemsUrl?: string | undefined;
  readonly gradeScopes: readonly string[];
  readonly membershipsUrl?: string | undefined;
}

export interface DeepLinkingSettings {
  readonly returnUrl: string;
  readonly acceptMultiple: boolean;
  readonly acceptLineItem: boolean;
  /** To be handed back as it came. */
  readonly data?: string | undefined;
}

interface LaunchBasis {
  readonly platformId: number;
  /** Empty where the protocol has none. */
  readonly deploymentId: string;
  /** The person, as the platform calls them. */
  readonly subject: string;
  readonly role: LaunchRole;
  /** Empty when the platform keeps it to itself. */
  readonly name: string;
  readonly locale?: string | undefined;
  readonly course?: { readonly id: string; readonly title: string } | undefined;
  /** What was set beside the link in the platform, by whoever may edit it there. */
  readonly custom: Readonly<Record<string, string>>;
  readonly services: LaunchServices;
  /** Where the platform wants people to go back to. */
  readonly returnUrl?: string | undefined;
  readonly openedIn?: 'iframe' | 'window' | undefined;
}

export type LaunchFacts = LaunchBasis &
  (
    | { readonly kind: 'activity'; readonly link: { readonly id: string; readonly title: string } }
    | { readonly kind: 'deep_link'; readonly settings: DeepLinkingSettings }
  );
