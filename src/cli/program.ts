import { Command, CommanderError } from 'commander';
import { addAssistantCommands, addBundleCommands } from './assistants.js';
import { addChatCommand } from './chat.js';
import { createContext, type Surroundings } from './context.js';
import { addDoctorCommand } from './doctor.js';
import { EXIT, isCliFault } from './faults.js';
import { addKeyCommands, addLoginCommands } from './keys.js';
import { DEFAULT_URL } from './service.js';
import { addSuiteCommand } from './suite.js';
import { addUserCommands } from './users.js';

const FOOTER = `
The key is what "login" keeps, or BELLWETHER_API_KEY. Exit codes: 0 done, 1 refused or failed,
2 used wrongly, 3 no key or not allowed, 4 no service there, 130 stopped. More in docs/cli.md.`;

/** Runs what was typed. Whatever goes wrong is one line on the standard error, and the exit code. */
export async function runProgram(typed: readonly string[], surroundings: Surroundings): Promise<void> {
  const { terminal, setExitCode } = surroundings;
  const complaints: string[] = [];
  try {
    await programFor(surroundings, complaints).parseAsync([...typed], { from: 'user' });
  } catch (fault) {
    if (fault instanceof CommanderError) {
      if (fault.exitCode === 0) return;
      terminal.note(
        fault.code === 'commander.help' ? complaints.join('').trimEnd() : complaintOf(complaints),
      );
      setExitCode(EXIT.misused);
    } else {
      const message = isCliFault(fault) ? fault.message : `Something went wrong here: ${messageOf(fault)}.`;
      terminal.note({ text: message, style: 'red' });
      setExitCode(isCliFault(fault) ? fault.exitCode : EXIT.failed);
    }
  }
}

function programFor(surroundings: Surroundings, complaints: string[]): Command {
  const { terminal, version } = surroundings;
  const context = createContext(surroundings);
  const program = new Command('bellwether')
    .description('Talks to a Bellwether service, here or anywhere.')
    .version(version, '--version', 'shows the version')
    .option('--url <address>', `the service; BELLWETHER_URL, the last login or ${DEFAULT_URL} unless given`)
    .option('--json', 'prints JSON')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => {
        terminal.write(text);
      },
      writeErr: (text) => complaints.push(text),
    })
    .exitOverride()
    .addHelpText('after', FOOTER);

  addChatCommand(program, context);
  addAssistantCommands(program, context);
  addBundleCommands(program, context);
  addUserCommands(program, context);
  addKeyCommands(program, context);
  addLoginCommands(program, context);
  addSuiteCommand(program, context);
  addDoctorCommand(program, context);
  return inPlainWords(program);
}

/** What commander says by itself, in our words, for a command and all below it. */
function inPlainWords(command: Command, path = command.name()): Command {
  command
    .helpOption('-h, --help', 'shows this help')
    .showHelpAfterError(`"${path} --help" says how it is used.`);
  if (command.commands.length > 0) command.helpCommand('help [command]', 'Shows how a command is used');
  for (const below of command.commands) {
    below.copyInheritedSettings(command);
    inPlainWords(below, `${path} ${below.name()}`);
  }
  return command;
}

/** Commander's fault and hint, as one line. */
function complaintOf(complaints: readonly string[]): string {
  const line = complaints
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^error: /, '');
  const sentence = `${line.charAt(0).toUpperCase()}${line.slice(1)}`;
  return sentence.replace(/(?<![.?!)])( "bellwether)/, '.$1');
}

const messageOf = (fault: unknown): string => (fault instanceof Error ? fault.message : 'unknown reason');
