import type { AccountSettings } from '../accounts/account-settings.ts';
import { type Fact, type ReadName, readNames } from '../fleet/fact.ts';
import type { Host } from '../session/host.ts';
import { leaderSocketPath } from '../session/leader-path.ts';
import type { AccountSession } from '../session/session.ts';
import { askLeader } from '../sharing/ask-leader.ts';
import type { ParsedArgs } from './command.ts';
import { sayAgeOfSharedData } from './leader-notice.ts';

// The list of a monitor is never older than this, even if nobody uses the monitor, unless the platform does not
// answer.
const maxListAgeMs = 60_000;

// The balance, the plan and the versions may be this old, because they change seldom and a monitor reads them seldom.
const maxAgeMs = 600_000;

/**
 * Whether a command may print what a monitor knows. A command that changes something has no --fresh, because it always asks
 * the platform.
 */
export const mayAskLeader = (args: ParsedArgs, { preferences }: AccountSettings): boolean =>
	args.hasOption('fresh') && !args.flag('fresh') && !preferences.alone;

/** Asks the monitor that polls an account, if one runs, for what it knows. */
export async function factsOfLeader(
	host: Host,
	account: string,
): Promise<readonly Fact[] | undefined> {
	try {
		const path = leaderSocketPath(host, account);
		return path === undefined ? undefined : await askLeader(path, host.clock);
	} catch {
		// A socket in a folder that is open to other users cannot be trusted.
		return undefined;
	}
}

/**
 * Returns a function that folds the answer of the monitor, and returns the reads that then need no request. A notice
 * says how old the data is.
 */
export function createLeaderAnswers(
	{ clock }: Pick<Host, 'clock'>,
	{ account, store }: Pick<AccountSession, 'account' | 'store'>,
	answer: Promise<readonly Fact[] | undefined>,
	/** Resolves when the last known fleet is in the store. */
	recalled: Promise<void>,
	notify: (line: string) => void,
): () => Promise<ReadonlySet<ReadName>> {
	let answers: Promise<ReadonlySet<ReadName>> | undefined;

	async function foldAnswer(): Promise<ReadonlySet<ReadName>> {
		const facts = await answer;
		if (!facts) return new Set();
		await recalled;
		store.receive(facts.filter(fact => fact.account === account));
		const reads = store.getState().accounts.get(account)?.reads ?? {};
		const now = clock.now();
		const ageOf = (name: ReadName) => now - (reads[name]?.answer?.at ?? Number.NEGATIVE_INFINITY);
		const answered = readNames.filter(
			// Where the monitor's own last read failed, the platform is asked: perhaps only the monitor cannot reach it.
			name => !reads[name]?.failing && ageOf(name) <= (name === 'list' ? maxListAgeMs : maxAgeMs),
		);
		if (answered.includes('list')) sayAgeOfSharedData(notify, ageOf('list'));
		return new Set(answered);
	}

	return () => {
		answers ??= foldAnswer();
		return answers;
	};
}
