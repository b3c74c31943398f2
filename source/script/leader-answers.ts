import { type ReadName, readNames } from '../fleet/fact.ts';
import { sharedFactNames } from '../fleet/fact-sharing.ts';
import type { Host } from '../session/host.ts';
import type { AccountSession } from '../session/session.ts';
import type { askFacts as AskFacts } from '../sharing/ask-facts.ts';
import { leaderNotice } from './leader-notice.ts';

// A monitor reads the list within this time even if no person uses it, unless the platform is silent.
const maxListAgeMs = 60_000;

// The balance, the plan and the versions change seldom, and a monitor reads them seldom.
const maxAgeMs = 600_000;

/**
 * Returns a function that asks the monitor that polls the account, if one runs, for what it knows. The result names the
 * reads that need no request. A notice says how old the data is.
 */
export function createLeaderAnswers(
	host: Host,
	{ account, store }: Pick<AccountSession, 'account' | 'store'>,
	notify: (line: string) => void,
): () => Promise<ReadonlySet<ReadName>> {
	const { clock } = host;
	let answers: Promise<ReadonlySet<ReadName>> | undefined;

	async function ask(): Promise<ReadonlySet<ReadName>> {
		// Most commands run beside no monitor, and need this code only to find that out.
		const { leaderPath } = await import('../session/leader-path.ts');
		const { askFacts } = await import('../sharing/ask-facts.ts');
		const answer = await answerFrom(() => leaderPath(host, account), askFacts);
		if (!answer) return new Set();
		store.foldAll(answer.facts.filter(fact => fact.account === account));
		const reads = store.getState().accounts.get(account)?.reads ?? {};
		const now = clock.now();
		const ageOf = (name: ReadName) => now - (reads[name]?.answer?.at ?? Number.NEGATIVE_INFINITY);
		const answered = readNames.filter(
			name => ageOf(name) <= (name === 'list' ? maxListAgeMs : maxAgeMs),
		);
		if (answered.includes('list')) {
			notify(leaderNotice(answer.pid, ageOf('list')));
		}
		return new Set(answered);
	}

	async function answerFrom(pathOf: () => string | undefined, askAt: typeof AskFacts) {
		try {
			const path = pathOf();
			return path === undefined ? undefined : await askAt(path, clock, sharedFactNames);
		} catch {
			// A folder that is open to other users holds no socket to trust.
			return undefined;
		}
	}

	return () => {
		answers ??= ask();
		return answers;
	};
}
