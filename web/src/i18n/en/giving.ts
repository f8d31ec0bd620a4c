import { counted } from './common.ts';

/** All the ways to students, on one page of an assistant. */
export const giving = {
  who: {
    title: 'Who can use it now',
    off: 'It is switched off: nobody gets an answer from it.',
    published: {
      nobody: 'It is not published.',
      organization: 'Everybody in its organisation: it is published there.',
      everyone: 'Everyone who uses this service: it is published to all organisations.',
    },
    shared: (n: number) =>
      n === 0 ? 'It is shared with nobody by name.' : `${counted(n, 'person', 'people')} by name.`,
    activities: (n: number) =>
      n === 0
        ? 'It is in no activity of a course.'
        : `Students of ${counted(n, 'activity', 'activities')} in courses.`,
    links: (n: number) => {
      if (n === 0) return 'No link lets in people without an account.';
      return n === 1
        ? 'Whoever has the link, without an account.'
        : `Whoever has one of the ${String(n)} links, without an account.`;
    },
    change: 'Change who may use it',
  },
  moodle: {
    title: 'In a Moodle course',
    lead: 'Students open it with a click in their course, and need no account here.',
    noPlatform:
      'No learning platform is connected to this organisation yet. An administrator does that once; then teachers need no address and no key.',
    toPlatforms: 'Connect a learning platform',
    connected: (platforms: string) => `Connected: ${platforms}.`,
    steps: (name: string) => [
      'Open your course in Moodle and switch on “Edit mode”.',
      'Choose “Add an activity or resource”, and in the list the tool that leads to this service.',
      `Press “Select content”, choose “${name}” and confirm.`,
      'Press “Save and return to course”. The activity is ready for your students.',
    ],
    byHand: 'If “Select content” is not offered',
    byHandText:
      'Fill in the form of the activity by hand. What students open is set up at the first opening, by you.',
    url: 'Tool URL',
    parameter: 'Custom parameters',
    activities: 'Activities that use it',
    none: 'None yet.',
    others: (n: number) => `${counted(n, 'activity', 'activities')} of colleagues`,
  },
  links: {
    title: 'A link for people without an account',
    lead: 'Whoever has the link can ask this assistant without signing in. Nobody’s name is asked for, and what is said is kept only for the visit. What it costs counts for your organisation.',
    off: 'Your organisation does not allow such links. An administrator can allow them in its settings.',
    toSettings: 'To the settings',
    budget: 'Budget that its visitors spend',
    noBudget: 'No budget of its own',
    lastDay: 'Last day',
    make: 'Make a link',
    made: 'The link is made.',
    address: 'Link',
    unreadable:
      'The address of this link can no longer be read: the key of this service was changed. Revoke it and make another.',
    noEnd: 'No end',
    until: (moment: string) => `Until ${moment}`,
    visits: (n: number) => (n === 0 ? 'nobody is there now' : `${counted(n, 'visit', 'visits')} under way`),
    code: 'QR code',
    codeTitle: 'QR code',
    codeOf: (name: string) => `QR code of the link to ${name}`,
    codeHint: 'For a slide or a sheet of paper: phones open the link with their camera.',
    embed: 'Show it on another page',
    embedTitle: 'Show it on another page',
    snippet: 'HTML to paste',
    embedSites: 'It is shown on pages of these sites, and on no others:',
    embedNone:
      'No other site may show it yet. An administrator can name the sites in the settings of the organisation; until then this snippet stays empty on a page.',
    revoke: 'Revoke',
    revokeTitle: 'Revoke this link?',
    revokeText: 'It leads nowhere from now on, and whoever is there cannot go on. This cannot be undone.',
    revoked: 'The link is revoked.',
  },
};
