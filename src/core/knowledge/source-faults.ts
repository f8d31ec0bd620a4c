/** Why a source, or a document of it, was not brought in step. Safe to show. */
export interface SourceFault {
  readonly message: string;
  /** Which of `SOURCE_FAULTS` that is, where it is one. */
  readonly code?: string | undefined;
  /** Names and numbers that belong into its sentence. */
  readonly values?: readonly string[] | undefined;
}

/** For pages that say it in other languages than the service does, with the values of the sentence in their order. */
export const SOURCE_FAULTS = [
  'unreachable',
  'no_answer',
  'timed_out',
  'too_large',
  'address_not_allowed',
  'address_in_circle',
  'moved',
  'status',
  'gone',
  'kind_not_taken',
  'same_document',
  'same_document_as',
  'too_many_documents',
  'run_full',
  'time_over',
  'service_ended',
  'broken',
  'storage_unavailable',
  'robots_forbid',
  'robots_fail',
  'too_many_pages',
  'sitemap_missing',
  'sitemap_wrong',
  'sitemap_damaged',
  'sitemap_empty',
  'moodle_not_set_up',
  'moodle_address',
  'moodle_token',
  'moodle_function',
  'moodle_no_course',
  'moodle_course_closed',
  'moodle_account_off',
  'moodle_services_off',
  'moodle_moved',
  'moodle_maintained',
  'moodle_refuses',
  'moodle_file_refused',
  'git_none',
  'git_old_protocol',
  'git_sha256',
  'git_not_public',
  'git_token',
  'git_status',
  'git_refuses',
  'git_broke_off',
  'git_damaged',
  'git_empty',
  'git_no_branch',
  'git_no_folder',
  'git_too_many_files',
  'git_file_missing',
  'folder_not_allowed',
  'folder_too_many_files',
  'folder_no_file',
  'folder_unreadable',
] as const;
export type SourceFaultCode = (typeof SOURCE_FAULTS)[number];
