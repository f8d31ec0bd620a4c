// The types and the rules of the code, from one reading of it: to compute the types is most of what either takes.
import { relative } from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';

const host = {
  ...ts.sys,
  getCanonicalFileName: (name) => name,
  getNewLine: () => ts.sys.newLine,
  onUnRecoverableConfigFileDiagnostic: (fault) => {
    throw new Error(ts.flattenDiagnosticMessageText(fault.messageText, '\n'));
  },
};
const { fileNames, options, errors } = ts.getParsedCommandLineOfConfigFile('tsconfig.json', {}, host);
const program = ts.createProgram({ rootNames: fileNames, options });
const faults = [...errors, ...ts.getPreEmitDiagnostics(program)];
process.stdout.write(ts.formatDiagnostics(faults, host));

const eslint = new ESLint({
  overrideConfig: {
    files: fileNames.map((name) => relative(process.cwd(), name)),
    languageOptions: { parserOptions: { projectService: false, programs: [program] } },
  },
});
const results = await eslint.lintFiles(['.']);
process.stdout.write((await eslint.loadFormatter()).format(results));
const isWell = faults.length === 0 && results.every(({ errorCount }) => errorCount === 0);
process.exitCode = isWell ? 0 : 1;
