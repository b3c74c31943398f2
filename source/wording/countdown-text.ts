import type { Theme } from '../drawing/theme.ts';
import type { Wish } from '../fleet/fact.ts';
import { operations } from '../operations/operations.ts';
import type { Operations } from '../operations/path.ts';
import { secondsOf, type Waiting, waitingText } from '../operations/waiting.ts';
import { newcomerIn } from '../store/newcomer.ts';
import type { AccountState } from '../store/state.ts';
import { operationSpans } from './stage-text.ts';

type Asked = {
	account: AccountState;
	waitingFor: Operations['waitingFor'];
	now: number;
	theme: Theme;
};

/** What is about to be sent and can still be kept from it, or a create that has no row. */
export function countdownText(asked: Asked): string | undefined {
	const counting = singlesIn(asked).sort((a, b) => leftOf(a, asked) - leftOf(b, asked));
	const [first] = counting;
	if (!first) return newcomerText(asked);
	const { wish, waiting } = first;
	const left = secondsLeft(first, asked);
	if (counting.length === 1) {
		if (waiting.for === 'held') return waitingText(wish, waiting, asked.now);
		return waitingText(wish, waiting, waiting.until - left * 1000);
	}
	const who = wish.name ?? wish.computer ?? 'a computer';
	const { doing } = operations[wish.operation];
	const more = counting.length - 1;
	if (waiting.for === 'held') return `${doing} ${who} and ${more} more: held at ${left} s`;
	const kept = counting.length === 2 ? 'both' : `all ${counting.length}`;
	return `${doing} ${who} in ${left} s, then ${more} more, Esc keeps ${kept}`;
}

/** The seconds in which a batch can still be kept from being sent; undefined when they are over. */
export function batchCountdown(
	asked: Asked,
	batch: string,
): { seconds: number; isHeld: boolean } | undefined {
	// All of a batch begin to be sent together.
	const [wish] = unsentIn(asked).filter(each => each.batch === batch);
	const waiting = wish && asked.waitingFor(wish.key);
	if (!wish || !isCounting(waiting)) return undefined;
	return { seconds: secondsLeft({ wish, waiting }, asked), isHeld: waiting.for === 'held' };
}

/** Whether the next second changes a countdown. What is held stands still. */
export function isCountingDown(asked: Omit<Asked, 'now' | 'theme'>): boolean {
	return unsentIn(asked).some(({ key }) => asked.waitingFor(key)?.for === 'grace');
}

type Counting = { wish: Wish; waiting: Extract<Waiting, { for: 'grace' | 'held' }> };

const isCounting = (waiting: Waiting | undefined): waiting is Counting['waiting'] =>
	waiting?.for === 'grace' || waiting?.for === 'held';

function singlesIn(asked: Asked): Counting[] {
	return unsentIn(asked).flatMap(wish => {
		const waiting = wish.batch === undefined ? asked.waitingFor(wish.key) : undefined;
		return isCounting(waiting) ? [{ wish, waiting }] : [];
	});
}

const unsentIn = ({ account }: Pick<Asked, 'account'>): readonly Wish[] =>
	[...account.operations.values()].filter(({ stage }) => stage === 'asked').map(({ wish }) => wish);

const leftOf = ({ waiting }: Counting, { now }: Asked) =>
	waiting.for === 'held' ? waiting.left : waiting.until - now;

function secondsLeft(counting: Counting, asked: Asked): number {
	const left = leftOf(counting, asked);
	// What is held does not change by the second.
	if (counting.waiting.for === 'held') return secondsOf(left);
	// The time on screen may be older than the countdown.
	const { grace } = operations[counting.wish.operation];
	return asked.theme.times.countdown(Math.min(grace, left));
}

function newcomerText(asked: Asked): string | undefined {
	const newcomer = newcomerIn(asked.account);
	if (!newcomer) return undefined;
	const { name } = newcomer.wish;
	const { changes } = asked.account;
	const [[text] = ['']] = operationSpans(newcomer, { ...asked, changes });
	return name === undefined ? text : `${name}: ${text}`;
}
