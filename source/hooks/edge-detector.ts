import { isSameStatus, phaseOf } from '../fleet/computers/computer.ts';
import { isOutdated, statusAnswerOf } from '../store/freshness.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { accountEdges, type KnownAccount } from './account-edges.ts';
import type { Edge } from './hook-event.ts';

/** The state of an account that its hooks were last informed of. It is kept in a file, for the next process. */
export type KnownState = KnownAccount & {
	/**
	 * The status of each computer by id; null for a computer that existed at the first start with a status that was
	 * not known yet.
	 */
	computers: ReadonlyMap<string, string | null>;
};

/** The values that became known in one step. */
export type NewlyKnown = KnownAccount & {
	computers: readonly (readonly [id: string, status: string | null])[];
	/** The ids of computers that were removed. */
	removed: readonly string[];
};

type DetectorOptions = {
	/** The state that an earlier process kept; undefined at the very first start. */
	known: KnownState | undefined;
	/** Answers to requests before this time are ignored, because `known` may be newer. */
	validFrom: number;
	/** The credits are low if they last no longer than this. */
	lowCreditsMs: number;
};

/**
 * Compares the state of an account with an earlier state, and returns each change between them once. Such a change is
 * called an edge. The earlier state may be from a moment ago, from before a silence, or from a process that was
 * killed.
 *
 * ```
 *   first start      no state before     everything is learnt, nothing is an edge
 *   later start      state in the file   what is different is an edge, once an answer is newer than the file
 *   then             state in memory     what is different is an edge
 * ```
 *
 */
export function createEdgeDetector({ known, validFrom, lowCreditsMs }: DetectorOptions) {
	const statuses = new Map(known?.computers);
	let knownAccount: KnownAccount = known ?? {};
	/** Whether the computers that exist at the first start are still being learnt. */
	let isLearning = known === undefined;
	let compared = new Map<string, ComputerState>();
	let comparedComputers: AccountState['computers'] | undefined;

	const isValid = (answer: { askedAt: number; from?: string } | undefined) =>
		answer !== undefined && answer.from !== 'recalled' && !isOutdated(answer.askedAt, validFrom);

	function step(
		account: AccountState,
		now: number,
	): { edges: readonly Edge[]; learnt: NewlyKnown } {
		const edges: Edge[] = [];
		const computers: [string, string | null][] = [];
		const removed: string[] = [];
		const isListed = isValid(account.reads.list?.answer);
		if (account.computers !== comparedComputers || compared.size < account.computers.size) {
			compareComputers(account, now, edges, computers);
			if (isListed && account.unreadableCount === 0) compareRemoved(account, now, edges, removed);
			comparedComputers = account.computers;
		}
		const ofAccount = accountEdges(knownAccount, account, {
			now,
			isAnswering: isListed,
			lowCreditsMs,
		});
		knownAccount = { ...knownAccount, ...ofAccount.learnt };
		edges.push(...ofAccount.edges);
		if (!isLearning) return { edges, learnt: { computers, removed, ...ofAccount.learnt } };
		return { edges, learnt: isListed ? finishLearning(account) : nothingLearnt };
	}

	function compareComputers(
		account: AccountState,
		now: number,
		edges: Edge[],
		learnt: [string, string | null][],
	) {
		const next = new Map<string, ComputerState>();
		for (const [id, computer] of account.computers) {
			const { status } = computer.reading;
			const isCompared = compared.get(id) === computer;
			if (!isCompared && status !== undefined && !isValid(statusAnswerOf(account, computer)))
				continue;
			next.set(id, computer);
			if (isCompared || status === undefined) continue;
			const before = statuses.get(id);
			if (before === undefined ? !isLearning : before !== null && !isSameStatus(before, status))
				edges.push(statusEdge(computer, before ?? null, status, now));
			if (before === status) continue;
			statuses.set(id, status);
			learnt.push([id, status]);
		}
		compared = next;
	}

	function compareRemoved(account: AccountState, now: number, edges: Edge[], removed: string[]) {
		for (const [id, before] of statuses) {
			if (account.computers.has(id)) continue;
			statuses.delete(id);
			removed.push(id);
			if (before === null) continue;
			edges.push({
				kind: 'stateChanged',
				subject: id,
				at: now,
				computer: { id },
				from: before,
				to: null,
				reason: null,
			});
		}
	}

	/**
	 * Ends the learning at the first start, and returns everything that was learnt. From now on, an unknown computer
	 * in a list counts as new.
	 */
	function finishLearning({ computers }: AccountState): NewlyKnown {
		isLearning = false;
		for (const id of computers.keys()) if (!statuses.has(id)) statuses.set(id, null);
		return { computers: [...statuses], removed: [], ...knownAccount };
	}

	return { step };
}

export const nothingLearnt: NewlyKnown = { computers: [], removed: [] };

function statusEdge(
	{ id, reading: { name, address, error }, stopReason }: ComputerState,
	from: string | null,
	to: string,
	at: number,
): Edge {
	const reason = phaseOf(to) === 'error' ? error : stopReason;
	return {
		kind: 'stateChanged',
		subject: id,
		at,
		from,
		to,
		computer: { id, ...(name && { name }), ...(address && { address }) },
		reason: reason ?? null,
	};
}
