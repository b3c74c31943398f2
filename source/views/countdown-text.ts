import type { Wish } from '../fleet/fact.ts';
import { operations } from '../operations/operations.ts';
import type { Operations } from '../operations/path.ts';
import { type Waiting, waitingText } from '../operations/waiting.ts';
import { newcomerIn } from '../store/newcomer.ts';
import type { AccountState } from '../store/state.ts';
import { operationSpans } from './stage-text.ts';
import type { Theme } from './theme.ts';

type Asked = {
	account: AccountState;
	waitingFor: Operations['waitingFor'];
	now: number;
	theme: Theme;
};

/** What is about to be sent and can still be kept from it, or a create that has no row. */
export function countdownText(asked: Asked): string | undefined {
	const counting = singlesIn(asked).sort((a, b) => a.waiting.until - b.waiting.until);
	const [first] = counting;
	if (!first) return newcomerText(asked);
	const { wish, waiting } = first;
	const left = secondsLeft(wish, waiting, asked);
	if (counting.length === 1) return waitingText(wish, waiting, waiting.until - left * 1000);
	const who = wish.name ?? wish.computer ?? 'a computer';
	const kept = counting.length === 2 ? 'both' : `all ${counting.length}`;
	const { doing } = operations[wish.operation];
	return `${doing} ${who} in ${left} s, then ${counting.length - 1} more, Esc keeps ${kept}`;
}

/** The seconds in which a batch can still be kept from being sent; undefined when they are over. */
export function batchCountdown(asked: Asked, batch: string): number | undefined {
	// All of a batch begin to be sent together.
	const [wish] = unsentIn(asked).filter(each => each.batch === batch);
	if (!wish) return undefined;
	const waiting = asked.waitingFor(wish.key);
	return waiting?.for === 'grace' ? secondsLeft(wish, waiting, asked) : undefined;
}

type Counting = { wish: Wish; waiting: Extract<Waiting, { for: 'grace' }> };

function singlesIn(asked: Asked): Counting[] {
	return unsentIn(asked).flatMap(wish => {
		const waiting = wish.batch === undefined ? asked.waitingFor(wish.key) : undefined;
		return waiting?.for === 'grace' ? [{ wish, waiting }] : [];
	});
}

const unsentIn = ({ account }: Asked): readonly Wish[] =>
	[...account.operations.values()].filter(({ stage }) => stage === 'asked').map(({ wish }) => wish);

// The time on screen may be older than the countdown.
function secondsLeft({ operation }: Wish, { until }: Counting['waiting'], { now, theme }: Asked) {
	return theme.times.countdown(Math.min(operations[operation].grace, until - now));
}

function newcomerText(asked: Asked): string | undefined {
	const newcomer = newcomerIn(asked.account);
	if (!newcomer) return undefined;
	const { name } = newcomer.wish;
	const { changes } = asked.account;
	const [[text] = ['']] = operationSpans(newcomer, { ...asked, changes });
	return name === undefined ? text : `${name}: ${text}`;
}
