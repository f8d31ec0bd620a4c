import { expect } from 'chai';
import { aZip, openDocumentParts, xlsxParts } from '../../support/documents.js';
import { extracted, markdownOf, refusalOf } from '../../support/extracting.js';

type XlsxOptions = Parameters<typeof xlsxParts>[1];

const xlsx = async (rows: string, options?: XlsxOptions) =>
  await markdownOf('a.xlsx', await aZip(xlsxParts({ Marks: rows }, options)));
const ods = async (tables: string, styles = '', characters?: number) =>
  await extracted(
    'a.ods',
    await aZip(openDocumentParts('spreadsheet', tables, { styles })),
    characters === undefined ? {} : { characters },
  );
const odsCell = (text: string, facts = '') =>
  `<table:table-cell ${facts}><text:p>${text}</text:p></table:table-cell>`;

describe('an Excel workbook', () => {
  it('gives every sheet under its name, and every row with the names of its columns', async () => {
    const rows =
      '<row><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><r><t>Ma</t></r><r><t>rk</t></r></is></c></row>' +
      '<row><c r="A2" t="s"><v>1</v></c><c r="B2"><f>1+8.5</f><v>9.5</v></c></row>';
    const notes = '<row><c t="str"><f>A1</f><v>Only text</v></c></row>';
    const parts = xlsxParts({ Marks: rows, Notes: notes, Empty: '' }, { strings: ['Name', 'Ane & Jon'] });

    const { format, pages, pageCount } = await extracted('a.xlsx', await aZip(parts));

    expect({ format, pageCount }).to.deep.equal({ format: 'xlsx', pageCount: undefined });
    expect(pages).to.deep.equal([
      { page: undefined, markdown: '# Marks\n\nName: Ane & Jon\nMark: 9.5\n\n# Notes\n\nOnly text' },
    ]);
  });

  it('keeps lines above the names of the columns as they are', async () => {
    const rows =
      '<row><c r="A1" t="str"><v>Timetable 2026</v></c></row><row/>' +
      '<row><c r="A3" t="str"><v>Room</v></c><c r="C3" t="str"><v>Seats</v></c></row>' +
      '<row><c r="A4" t="str"><v>A-1</v></c><c r="B4"><v>7</v></c><c r="C4"><v>40</v></c></row>';

    expect(await xlsx(rows)).to.equal('# Marks\n\nTimetable 2026\n\nRoom: A-1\nColumn B: 7\nSeats: 40');
  });

  it('says in every row what a cell says that reaches over several', async () => {
    const cell = (address: string, text: string) => `<c r="${address}" t="str"><v>${text}</v></c>`;
    const rows =
      `<row r="1">${cell('A1', 'Day')}${cell('B1', 'Time')}</row>` +
      `<row r="2">${cell('A2', 'Monday')}${cell('B2', '9:00')}</row>` +
      `<row r="3"><c r="A3"/>${cell('B3', '10:00')}</row><row r="5">${cell('B5', '11:00')}</row>` +
      `<row r="6">${cell('B6', '12:00')}</row>`;
    const parts = xlsxParts({ Marks: rows });
    const part = 'xl/worksheets/sheet0.xml';
    const merged = '</sheetData><mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="A2:A5"/></mergeCells>';
    const sheet = parts[part]?.replace('</sheetData>', merged) ?? '';

    expect(await markdownOf('a.xlsx', await aZip({ ...parts, [part]: sheet }))).to.equal(
      '# Marks\n\nDay: Monday\nTime: 9:00\n\nDay: Monday\nTime: 10:00\n\nDay: Monday\nTime: 11:00\n\nTime: 12:00',
    );
  });

  it('shows numbers, dates and times as people see them', async () => {
    const shown = [
      ['dd/mm/yyyy', 46342, '2026-11-16'],
      ['d-mmm-yy h:mm', 46342.6041666, '2026-11-16 14:30'],
      ['[$-C0A]d "de" mmmm', 1, '1900-01-01'],
      ['h:mm AM/PM', 0.75, '18:00'],
      ['[h]:mm:ss', 1.5, '36:00'],
      ['0.00%', 0.256, '25.60%'],
      ['#,##0.00 &quot;€&quot;', -1234.5, '-1234.50 €'],
      ['[$£-809]#,##0', 12, '£12'],
      ['00000', 42, '00042'],
      ['0.##', 2.5, '2.5'],
      ['[Red]0.0;[Blue]-0.0', 3, '3.0'],
      ['General', 0.30000000000000004, '0.3'],
      ['0.00E+00', 12000, '12000'],
      ['yyyy', -5, '-5'],
    ] as const;
    const cells = shown.map(
      ([, value], at) => `<row><c s="${String(at + 1)}"><v>${String(value)}</v></c></row>`,
    );

    const text = await xlsx(cells.join(''), { formats: shown.map(([code]) => code) });

    expect(text.split('\n\n').slice(1)).to.deep.equal(shown.map(([, , seen]) => seen));
  });

  it('shows true and false, and nothing for a formula that went wrong', async () => {
    const row =
      '<row><c r="A1"><v>1</v></c><c r="B1" t="b"><v>1</v></c><c r="C1" t="e"><v>#DIV/0!</v></c><c r="D1" t="b"><v>0</v></c></row>';

    expect(await xlsx(row)).to.equal('# Marks\n\nColumn A: 1\nColumn B: TRUE\nColumn D: FALSE');
  });

  it('leaves hidden sheets out and says so', async () => {
    const row = '<row><c t="str"><v>Text</v></c></row>';
    const parts = xlsxParts({ Seen: row, Answers: row }, { hidden: ['Answers'] });

    const { pages, faults } = await extracted('a.xlsx', await aZip(parts));

    expect(pages[0]?.markdown).to.equal('# Seen\n\nText');
    expect(faults).to.deep.equal([
      {
        message: 'The sheet "Answers" is hidden and was left out.',
        ...{ code: 'sheet_hidden', values: ['Answers'] },
      },
    ]);
  });

  it('tells of a sheet that is missing, and reads the others', async () => {
    const row = '<row><c t="str"><v>Text</v></c></row>';
    const { 'xl/worksheets/sheet0.xml': _, ...parts } = xlsxParts({ Lost: row, Kept: row });

    const { pages, faults } = await extracted('a.xlsx', await aZip(parts));

    expect(pages[0]?.markdown).to.equal('# Kept\n\nText');
    expect(faults).to.deep.equal([
      { message: 'The sheet "Lost" could not be read.', code: 'sheet_unread', values: ['Lost'] },
    ]);
  });

  it('is not made larger by a cell in the last corner of a sheet', async () => {
    const rows =
      '<row r="1048576"><c r="XFD1048576" t="str"><v>far</v></c><c r="A1048576"><v>1</v></c></row>';

    expect(await xlsx(rows)).to.equal('# Marks\n\nColumn XFD: far\nColumn A: 1');
  });

  it('is refused when its cells say more than a document may, by saying the same text again', async () => {
    const rows = '<row><c t="s"><v>0</v></c></row>'.repeat(2_000);
    const zip = await aZip(xlsxParts({ Marks: rows }, { strings: ['x'.repeat(1_000)] }));

    expect(await refusalOf(extracted('a.xlsx', zip, { characters: 100_000 }))).to.contain(
      'more than 100,000 characters',
    );
  });
});

describe('an OpenDocument spreadsheet', () => {
  it('gives what its cells show, and dates whatever the country', async () => {
    const { format, title, pages } = await extracted(
      'a.ods',
      await aZip(
        openDocumentParts(
          'spreadsheet',
          '<table:table table:name="Exams">' +
            `<table:table-row>${odsCell('Subject')}${odsCell('Date')}${odsCell('Share')}</table:table-row>` +
            `<table:table-row>${odsCell('Art<office:annotation><text:p>Nobody reads this.</text:p></office:annotation>')}` +
            odsCell('03/06/26', 'office:value-type="date" office:date-value="2026-06-03T09:30:00"') +
            `${odsCell('25 %', 'office:value="0.25"')}</table:table-row></table:table>`,
          { title: 'Summer' },
        ),
      ),
    );

    expect({ format, title }).to.deep.equal({ format: 'ods', title: 'Summer' });
    expect(pages).to.deep.equal([
      { page: undefined, markdown: '# Exams\n\nSubject: Art\nDate: 2026-06-03 09:30\nShare: 25 %' },
    ]);
  });

  it('leaves hidden sheets out and says so', async () => {
    const styles =
      '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>';
    const row = `<table:table-row>${odsCell('Text')}</table:table-row>`;
    const table = (name: string, style: string) =>
      `<table:table table:name="${name}" table:style-name="${style}">${row}</table:table>`;

    const { pages, faults } = await ods(table('Seen', 'ta1') + table('Answers', 'ta2'), styles);

    expect(pages[0]?.markdown).to.equal('# Seen\n\nText');
    expect(faults).to.deep.equal([
      {
        message: 'The sheet "Answers" is hidden and was left out.',
        ...{ code: 'sheet_hidden', values: ['Answers'] },
      },
    ]);
  });

  it('says in every row what a cell says that reaches over several', async () => {
    const { pages } = await ods(
      `<table:table table:name="Marks"><table:table-row>${odsCell('Day')}${odsCell('Time')}</table:table-row>` +
        `<table:table-row>${odsCell('Monday', 'table:number-rows-spanned="2"')}${odsCell('9:00')}</table:table-row>` +
        `<table:table-row><table:covered-table-cell/>${odsCell('10:00')}</table:table-row>` +
        `<table:table-row><table:table-cell/>${odsCell('11:00')}</table:table-row></table:table>`,
    );

    expect(pages[0]?.markdown).to.equal(
      '# Marks\n\nDay: Monday\nTime: 9:00\n\nDay: Monday\nTime: 10:00\n\nTime: 11:00',
    );
  });

  it('is no larger for the empty cells up to its last corner, and refused for as many full ones', async () => {
    const rows = 'table:number-rows-repeated="1048576"';
    const columns = 'table:number-columns-repeated="16384"';
    const wide = (cell: string) =>
      `<table:table table:name="T"><table:table-row>${odsCell('Text')}<table:table-cell ${columns}/></table:table-row>` +
      `<table:table-row ${rows}>${cell}</table:table-row></table:table>`;

    const { pages } = await ods(wide(`<table:table-cell ${columns}/>`));

    expect(pages[0]?.markdown).to.equal('# T\n\nText');
    expect(await refusalOf(ods(wide(odsCell('full', columns)), '', 1_000_000))).to.contain(
      'characters of text. Split it',
    );
  });
});
