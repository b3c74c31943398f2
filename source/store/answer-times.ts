import type { AccountState, AnswerTime, ComputerAnswer, ComputerState } from './state.ts';

// A request is given up after a part of this, so that no answer is later. What seems to be was stamped
// by a clock that was set back, and is news.
const latestAnswerDelay = 120_000;

/** What the platform told in answer to one read, and about when. */
export type Answer = AnswerTime & { read: 'list' | 'status' | 'detail' };

/** Another answer, or the end of an operation, is known from later on than this one was asked for. */
export function isOutdated(askedAt: number, knownFrom: number | undefined): boolean {
	return knownFrom !== undefined && askedAt < knownFrom && knownFrom - askedAt < latestAnswerDelay;
}

export type StatusAnswer = AnswerTime & { from: Answer['read'] | 'recalled' | 'operation' };

/** Which answer told the status of a computer last. */
export function statusAnswerOf(
	account: AccountState,
	{ id, listed, believedFrom: barrier }: ComputerState,
): StatusAnswer | undefined {
	const { status, detail, list, restoredFrom } = account.computerReads.get(id) ?? {};
	let newest: StatusAnswer | undefined;
	const consider = (sight: AnswerTime | undefined, from: StatusAnswer['from']) => {
		if (!sight || (newest && sight.askedAt <= newest.askedAt)) return;
		const { askedAt, at, every } = sight;
		newest = { askedAt, at, ...(every !== undefined && { every }), from };
	};
	if (restoredFrom !== undefined) consider({ askedAt: restoredFrom, at: restoredFrom }, 'recalled');
	consider(listed === 'told' ? account.reads.list?.answer : list, 'list');
	if (detail?.hasStatus) consider(detail, 'detail');
	if (status?.hasStatus) consider(status, 'status');
	if (!newest && barrier !== undefined) consider({ askedAt: barrier, at: barrier }, 'operation');
	return newest;
}

/** What was asked for before this tells nothing new about the status of the computer. */
export function statusAsOf(account: AccountState, computer: ComputerState): number | undefined {
	const sights = account.computerReads.get(computer.id);
	return latest(
		computer.believedFrom,
		(computer.listed === 'told' ? account.reads.list?.answer : sights?.list)?.askedAt,
		sights?.status?.hasStatus ? sights.status.askedAt : undefined,
		sights?.detail?.hasStatus ? sights.detail.askedAt : undefined,
		sights?.restoredFrom,
	);
}

/** The same for what lists and details tell beside the status. */
export function recordAsOf(account: AccountState, computer: ComputerState): number | undefined {
	return latest(
		computer.believedFrom,
		computer.listed === 'absent' ? undefined : account.reads.list?.answer?.askedAt,
		account.computerReads.get(computer.id)?.detail?.askedAt,
	);
}

/** When the platform, asked for this one computer, last said that it is there. */
export function existenceAsOf(account: AccountState, computer: ComputerState): number | undefined {
	const sights = account.computerReads.get(computer.id);
	return latest(computer.believedFrom, sights?.status?.askedAt, sights?.detail?.askedAt);
}

/** Whether the last list told of all there are: whom it did not name is not there. */
export function isListComplete({ reads, contact }: AccountState): boolean {
	return reads.list?.answer !== undefined && reads.list.answer.askedAt === contact?.fleetAt;
}

/** The newer one of the two looks. */
export function laterAnswer(
	known: ComputerAnswer | undefined,
	look: ComputerAnswer,
): ComputerAnswer {
	return known && isOutdated(look.askedAt, known.askedAt) ? known : look;
}

function latest(
	a: number | undefined,
	b: number | undefined,
	c?: number,
	d?: number,
	e?: number,
): number | undefined {
	const none = Number.NEGATIVE_INFINITY;
	const most = Math.max(a ?? none, b ?? none, c ?? none, d ?? none, e ?? none);
	return most === none ? undefined : most;
}
