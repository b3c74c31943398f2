import { usesProxy } from '../platform/proxy.ts';
import type { Host } from '../session/host.ts';
import { type Command, exitCodes } from '../shell/command.ts';
import { runCommandLine } from './command-line.ts';
import { needsNoOtherCommand } from './load-commands.ts';
import { type QuickName, quickNames } from './quick-names.ts';

//  crowsnest list ─▶ does a running monitor print the list? ── yes ─▶ write its lines
//                      │ no
//                      ▼
//                    can the quick program run this line? ── yes ─▶ run the command
//                      │ no: a mistake, --help, the demo, a proxy
//                      ▼
//                    start the whole program

const loaders: Readonly<Record<QuickName, () => Promise<Command>>> = {
	status: async () => (await import('./commands/status.ts')).status,
	list: async () => (await import('./commands/list.ts')).list,
	show: async () => (await import('./commands/show.ts')).show,
	credits: async () => (await import('./commands/credits.ts')).credits,
	log: async () => (await import('./commands/log.ts')).log,
};

/**
 * Runs a command line in the quick program, and resolves with the exit code; undefined if it needs the whole program. Then
 * nothing was written and nothing was sent.
 */
export async function runQuickCommand(
	host: Host,
	words: readonly string[],
): Promise<number | undefined> {
	const [word, ...otherWords] = words;
	const name = quickNames.find(each => each === word);
	if (name === undefined) return undefined;
	if (name === 'list') {
		const { printListOfLeader } = await import('../script/list-of-leader.ts');
		if (await printListOfLeader(host, otherWords)) return exitCodes.done;
	}
	// The quick program does not contain the client that uses a proxy. The status sends nothing.
	if (name !== 'status' && usesProxy(host.program.env)) return undefined;
	const command = await loaders[name]();
	return needsNoOtherCommand(command, otherWords)
		? runCommandLine(host, [command], words)
		: undefined;
}
