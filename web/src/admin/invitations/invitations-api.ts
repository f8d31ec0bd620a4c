import type { Page } from '../../../../src/http/contract/common.ts';
import type {
  ImportReport,
  Invitation,
  MadeInvitation,
} from '../../../../src/http/contract/people/invitations.ts';
import type { Api } from '../../api/api.ts';
import type { GivenRole } from '../roles.ts';

export type InvitationsApi = ReturnType<typeof createInvitationsApi>;

export function createInvitationsApi(api: Api) {
  const root = '/lamb/v1/invitations';

  return {
    list: (cursor: string | undefined, signal: AbortSignal) =>
      api.get<Page<Invitation>>(root, { query: { cursor }, signal }),
    invite: (person: { readonly email: string; readonly name: string; readonly role: GivenRole }) =>
      api.send<MadeInvitation>('POST', root, person),
    takeBack: (id: number) => api.send('DELETE', `${root}/${String(id)}`),
    /** With `isDry` nobody is invited. */
    importList: (file: File, isDry: boolean) =>
      api.upload<ImportReport>(`/lamb/v1/users/import?dry_run=${String(isDry)}`, [file], {
        signal: new AbortController().signal,
        onProgress: () => undefined,
      }),
  };
}
