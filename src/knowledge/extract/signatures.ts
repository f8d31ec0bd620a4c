/** What a file is by its first bytes, and what its owner may do if it cannot be read. */
export interface Seen {
  readonly seems: string;
  readonly advice: string;
}

interface Signature extends Seen {
  readonly at?: number;
  readonly bytes: string;
}

const PICTURE = 'Save it as PNG or JPEG.';
const ARCHIVE = 'Unpack it and upload the documents in it.';
const SOUND = 'Upload its subtitles (.srt, .vtt) or a transcript of it instead.';
const PROGRAM = 'Upload a document instead.';

/** In Latin-1. The more telling come first. */
const SIGNATURES: readonly Signature[] = [
  { bytes: '%!PS', seems: 'a PostScript file', advice: 'Save it as PDF.' },
  { bytes: 'GIF8', seems: 'a picture', advice: PICTURE },
  { bytes: 'II*\x00', seems: 'a picture', advice: PICTURE },
  { bytes: 'MM\x00*', seems: 'a picture', advice: PICTURE },
  { at: 4, bytes: 'ftyphei', seems: 'a picture', advice: PICTURE },
  { at: 4, bytes: 'ftypmif1', seems: 'a picture', advice: PICTURE },
  { at: 4, bytes: 'ftypavif', seems: 'a picture', advice: PICTURE },
  { at: 4, bytes: 'ftyp', seems: 'a film or a recording', advice: SOUND },
  { bytes: 'RIFF', seems: 'a film or a recording', advice: SOUND },
  { bytes: 'ID3', seems: 'a recording', advice: SOUND },
  { bytes: 'OggS', seems: 'a film or a recording', advice: SOUND },
  { bytes: '\x1aE\xdf\xa3', seems: 'a film', advice: SOUND },
  { bytes: 'AT&TFORM', seems: 'a DjVu document', advice: 'Save it as PDF.' },
  { bytes: '\x7fELF', seems: 'a program', advice: PROGRAM },
  { bytes: '\xcf\xfa\xed\xfe', seems: 'a program', advice: PROGRAM },
  { bytes: '\xca\xfe\xba\xbe', seems: 'a program', advice: PROGRAM },
  { bytes: 'SQLite format 3\x00', seems: 'a database', advice: 'Export what is in it as .csv.' },
  { bytes: '\x1f\x8b', seems: 'a packed archive', advice: ARCHIVE },
  { bytes: '7z\xbc\xaf', seems: 'a packed archive', advice: ARCHIVE },
  { bytes: 'Rar!', seems: 'a packed archive', advice: ARCHIVE },
  { bytes: '\xfd7zXZ', seems: 'a packed archive', advice: ARCHIVE },
  { bytes: 'BZh', seems: 'a packed archive', advice: ARCHIVE },
  { at: 257, bytes: 'ustar', seems: 'a packed archive', advice: ARCHIVE },
];

/** PNG, JPEG and WebP. */
export function isReadablePicture(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 16).toString('latin1');
  return head.startsWith('\x89PNG') || head.startsWith('\xff\xd8\xff') || head.startsWith('WEBP', 8);
}

export function bySignature(bytes: Buffer): Seen | undefined {
  const head = bytes.subarray(0, 512).toString('latin1');
  // Two letters alone could begin a text too.
  if (head.startsWith('MZ') && head.includes('\x00')) return { seems: 'a program', advice: PROGRAM };
  if (head.startsWith('BM') && head.includes('\x00')) return { seems: 'a picture', advice: PICTURE };
  return SIGNATURES.find(({ at = 0, bytes: begin }) => head.startsWith(begin, at));
}

const OLE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

export function isOle(bytes: Buffer): boolean {
  return bytes.subarray(0, OLE.length).toString('latin1') === OLE;
}

/** Names of the streams in an OLE file that tell what it holds. */
const OLE_STREAMS: readonly (readonly [string, Seen])[] = [
  ['WordDocument', { seems: 'an old Word document (.doc)', advice: 'Save it as .docx.' }],
  ['PowerPoint Document', { seems: 'an old PowerPoint presentation (.ppt)', advice: 'Save it as .pptx.' }],
  ['Workbook', { seems: 'an old Excel workbook (.xls)', advice: 'Save it as .xlsx.' }],
];

/** `protected` for an Office file that is encrypted with a password. */
export function insideOle(bytes: Buffer): Seen | 'protected' {
  const holds = (name: string) => bytes.includes(Buffer.from(name, 'utf16le'));
  if (holds('EncryptedPackage')) return 'protected';
  return (
    OLE_STREAMS.find(([name]) => holds(name))?.[1] ?? {
      seems: 'an old Office file',
      advice: 'Save it as .docx, .xlsx, .pptx or PDF.',
    }
  );
}
