import type { Clock } from '../fleet/clock.ts';
import type { Operation } from '../fleet/operation.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import type { KnownBefore } from './lost-create.ts';
import { type Verdict, verdictOf } from './verdict.ts';

type Parts = {
	account: string;
	store: Store;
	clock: Clock;
	/** What was there when a create went out. */
	knownBefore: (key: string) => KnownBefore;
	onVerdicts: (verdicts: readonly { operation: Operation; verdict: Verdict }[]) => void;
};

/**
 * Sees with every change of the state whether something that was sent has come to its end. What it
 * returns ends that.
 */
export function judgeEnds({ account, store, clock, knownBefore, onVerdicts }: Parts): () => void {
	let seen: AccountState | undefined;

	return store.subscribe(() => {
		const known = store.getState().accounts.get(account) ?? emptyAccount;
		if (known === seen) return;
		seen = known;
		const verdicts = [...known.operations.values()].flatMap(operation => {
			const before = knownBefore(operation.wish.key);
			const verdict = verdictOf(known, operation, before, clock.now());
			return verdict ? [{ operation, verdict }] : [];
		});
		if (verdicts.length > 0) onVerdicts(verdicts);
	});
}
