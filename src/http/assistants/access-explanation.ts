import type { Verdict } from '../../core/access/access.js';

/** After who it is about: one plain sentence for each rule. */
const WORDS: Readonly<Record<Verdict['rule'], string>> = {
  owner: 'may use this assistant as its owner.',
  shared: 'may use this assistant because it is shared with them.',
  published_organization:
    'may use this assistant because it is published to the organisation they belong to.',
  published_everyone: 'may use this assistant because it is published to everyone.',
  organization_admin: 'may use this assistant as an administrator of its organisation.',
  system_admin: 'may use this assistant as a system administrator.',
  activity: 'may use this assistant in the activity they have opened.',
  none: 'may not use this assistant: it is neither theirs nor shared with them nor published to them.',
  disabled: 'may not use this assistant now: it is switched off.',
  account_disabled: 'may not use this assistant: the account is switched off.',
  owner_disabled: "may not use this assistant now: its owner's account is switched off.",
  orchestrator_target: 'may not call this assistant: it calls functions itself, and calls go one level deep.',
  consent_needed: 'may not use this assistant before they have agreed to be named.',
  itself: 'may not call this assistant: it is the same one.',
};

export function explainAccess(who: string, { rule }: Verdict): string {
  return `${who} ${WORDS[rule]}`;
}
