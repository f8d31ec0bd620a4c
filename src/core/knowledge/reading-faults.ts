/** Why a file could not be read, for pages that say it in other languages than the service does. */
export const READING_FAULTS = [
  'empty',
  'no_text',
  'scanned',
  'scan_in_chat',
  'nothing_recognised',
  'recognition_gave_up',
  'recognition_missing',
  'picture',
  'picture_in_chat',
  'picture_without_text',
  'picture_too_large',
  'picture_not_described',
  'encrypted',
  'copy_protected',
  'damaged',
  'unpacks_to_too_much',
  'type_definition',
  'too_many_pages',
  'too_much_text',
  'called_otherwise',
  'not_supported',
  'too_much_memory',
  'takes_too_long',
  'not_understood',
  'failed',
  'service_ended',
  'try_again',
] as const;
export type ReadingFault = (typeof READING_FAULTS)[number];

/** What was not taken in of a file that otherwise was, for the same pages; with the values of its sentence in their order. */
export const PART_FAULTS = [
  'page_unread',
  'slide_unread',
  'chapter_unread',
  'sheet_hidden',
  'sheet_unread',
  'quote_not_closed',
  'breaks_off',
  'pages_without_text',
  'pages_nothing_recognised',
  'pages_not_recognised',
  'recognition_missing',
  'picture_not_described',
  'words_alone',
] as const;
export type PartFaultCode = (typeof PART_FAULTS)[number];
