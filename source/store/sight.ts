import type { AccountState, ComputerState, Look, Sight } from './state.ts';

// A request is given up after a part of this, so that no answer is later. What seems to be was stamped
// by a clock that was set back, and is news.
const lateAtMost = 120_000;

/** What the platform told in answer to one read, and about when. */
export type Answer = Sight & { read: 'list' | 'status' | 'detail' };

/** Another answer, or the end of an operation, is known from later on than this one was asked for. */
export function isOutdated(askedAt: number, knownFrom: number | undefined): boolean {
	return knownFrom !== undefined && askedAt < knownFrom && knownFrom - askedAt < lateAtMost;
}

export type StatusSight = Sight & { from: Answer['read'] | 'recalled' | 'operation' };

/** Which answer told the status of a computer last. */
export function statusSightOf(
	account: AccountState,
	{ id, listed, barrier }: ComputerState,
): StatusSight | undefined {
	const { status, detail, list, recalledAt } = account.sights.get(id) ?? {};
	let newest: StatusSight | undefined;
	const consider = (sight: Sight | undefined, from: StatusSight['from']) => {
		if (!sight || (newest && sight.askedAt <= newest.askedAt)) return;
		const { askedAt, at, every } = sight;
		newest = { askedAt, at, ...(every !== undefined && { every }), from };
	};
	if (recalledAt !== undefined) consider({ askedAt: recalledAt, at: recalledAt }, 'recalled');
	consider(listed === 'told' ? account.reads.list?.told : list, 'list');
	if (detail?.isStatusTold) consider(detail, 'detail');
	if (status?.isStatusTold) consider(status, 'status');
	if (!newest && barrier !== undefined) consider({ askedAt: barrier, at: barrier }, 'operation');
	return newest;
}

/** What was asked for before this tells nothing new about the status of the computer. */
export function statusKnownFrom(
	account: AccountState,
	computer: ComputerState,
): number | undefined {
	const sights = account.sights.get(computer.id);
	return latest(
		computer.barrier,
		(computer.listed === 'told' ? account.reads.list?.told : sights?.list)?.askedAt,
		sights?.status?.isStatusTold ? sights.status.askedAt : undefined,
		sights?.detail?.isStatusTold ? sights.detail.askedAt : undefined,
		sights?.recalledAt,
	);
}

/** The same for what lists and details tell beside the status. */
export function recordKnownFrom(
	account: AccountState,
	computer: ComputerState,
): number | undefined {
	return latest(
		computer.barrier,
		computer.listed === 'absent' ? undefined : account.reads.list?.told?.askedAt,
		account.sights.get(computer.id)?.detail?.askedAt,
	);
}

/** When the platform, asked for this one computer, last said that it is there. */
export function existenceKnownFrom(
	account: AccountState,
	computer: ComputerState,
): number | undefined {
	const sights = account.sights.get(computer.id);
	return latest(computer.barrier, sights?.status?.askedAt, sights?.detail?.askedAt);
}

/** Whether the last list told of all there are: whom it did not name is not there. */
export function isWholeFleetTold({ reads, watch }: AccountState): boolean {
	return reads.list?.told !== undefined && reads.list.told.askedAt === watch?.fleetAt;
}

/** The newer one of the two looks. */
export function laterLook(known: Look | undefined, look: Look): Look {
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
