import { accountKey } from '../accounts/credentials.ts';
import type { Host } from '../session/host.ts';
import { leaderSocketPath } from '../session/leader-path.ts';
import { askList } from '../sharing/ask-list.ts';
import { createNotify } from '../shell/errors.ts';
import { loadSettings } from '../shell/load-settings.ts';
import { watchOutput } from '../shell/output-errors.ts';
import { parseWords } from '../shell/parse-args.ts';
import { environmentFrom } from '../terminal/features/environment.ts';
import { sayAgeOfSharedData } from './leader-notice.ts';
import { listOptions } from './list-options.ts';

const command = { name: 'list', options: listOptions };

/**
 * Asks the monitor of an account to format the list for this command, and writes it. This takes a fraction of the
 * time that reading the list takes. Returns whether a monitor answered. If none did, nothing was written.
 */
export async function printListOfLeader(host: Host, words: readonly string[]): Promise<boolean> {
	const answer = await answerOfLeader(host, words);
	if (!answer?.list) return false;
	const { program, clock } = host;
	watchOutput(host, answer.isJson);
	const ageMs = clock.now() - answer.list.readAt;
	sayAgeOfSharedData(createNotify(program, answer.isJson), ageMs);
	for (const { isError, text } of answer.list.output) {
		(isError ? program.stderr : program.stdout).write(text);
	}
	return true;
}

async function answerOfLeader(host: Host, words: readonly string[]) {
	const { program, clock } = host;
	try {
		const args = parseWords(command, words, []);
		args.seconds('timeout', 1, 86_400);
		if (args.flag('fresh') || args.flag('demo')) return undefined;
		const settings = loadSettings(host, args);
		if (settings.kind !== 'accounts') return undefined;
		const [account, ...others] = settings.accounts;
		if (others.length > 0 || account.preferences.alone) return undefined;
		const path = leaderSocketPath(host, accountKey(account));
		if (path === undefined) return undefined;
		const { isTTY, columns } = program.stdout;
		const isAscii = args.flag('ascii');
		const answer = await askList(path, clock, {
			words,
			account: { name: account.name, shortName: account.shortName },
			hasUnicode: environmentFrom(program.env, isAscii ? { hasUnicode: false } : {}).hasUnicode,
			...(isTTY && { width: columns }),
		});
		return { ...answer, isJson: args.flag('json') };
	} catch {
		// The mistake is not reported here, because the command that continues without the monitor reports it.
		return undefined;
	}
}
