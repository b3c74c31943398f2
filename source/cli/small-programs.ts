import { usesProxy } from '../platform/proxy.ts';
import type { Host } from '../session/host.ts';
import { type Command, exitCodes } from '../shell/command.ts';
import { UsageError } from '../shell/errors.ts';
import { parseWords } from '../shell/parse-args.ts';
import { runCommandLine } from './command-line.ts';
import type { QuickName, ReadingName } from './program-commands.ts';

//  crowsnest list ─▶ quick ──── a running monitor prints the list ────▶ done
//                      │ no
//                      ▼
//                   reading ─── it can run this command line ─────────▶ done
//                      │ no: a mistake, --help, the demo, a proxy
//                      ▼
//                    whole

/** Runs a command line. Returns undefined if the program cannot run it; in that case, nothing was written or sent. */
export type RunInSmallProgram = (
	host: Host,
	words: readonly string[],
) => Promise<number | undefined>;

const quickRuns: Readonly<Record<QuickName, RunInSmallProgram>> = {
	async status(host, words) {
		const { status } = await import('./commands/status.ts');
		return runIfCorrect(host, status, words);
	},
	async list(host, [, ...words]) {
		const { printListOfLeader } = await import('../script/list-of-leader.ts');
		return (await printListOfLeader(host, words)) ? exitCodes.done : undefined;
	},
};

const readingCommands: Readonly<Record<ReadingName, () => Promise<Command>>> = {
	list: async () => (await import('./commands/list.ts')).list,
	show: async () => (await import('./commands/show.ts')).show,
	credits: async () => (await import('./commands/credits.ts')).credits,
	log: async () => (await import('./commands/log.ts')).log,
};

export const runInQuickProgram: RunInSmallProgram = async (host, words) => {
	const [name = ''] = words;
	return isIn(quickRuns, name) ? quickRuns[name](host, words) : undefined;
};

export const runInReadingProgram: RunInSmallProgram = async (host, words) => {
	const [name = ''] = words;
	if (!isIn(readingCommands, name)) return undefined;
	// A small program does not contain the HTTP client that uses a proxy.
	if (usesProxy(host.program.env)) return undefined;
	return runIfCorrect(host, await readingCommands[name](), words);
};

function isIn<Name extends string>(
	table: Readonly<Record<Name, unknown>>,
	name: string,
): name is Name {
	return Object.hasOwn(table, name);
}

/**
 * Runs a command, unless this small program lacks a part that is needed: a message about a mistake may name any
 * command, the help lists all commands, and the demo platform is large.
 */
async function runIfCorrect(
	host: Host,
	command: Command,
	words: readonly string[],
): Promise<number | undefined> {
	try {
		const args = parseWords(command, words.slice(1), []);
		if (command.options.some(({ name, opensDemo }) => opensDemo && args.flag(name)))
			return undefined;
	} catch (error) {
		if (error instanceof UsageError) return undefined;
		throw error;
	}
	return runCommandLine(host, [command], words);
}
