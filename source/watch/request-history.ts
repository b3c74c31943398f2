import type { Failure, FailureKind } from '../fleet/failure.ts';
import { type Backoff, backoffAfter, isDown, retryAt } from './backoff.ts';
import {
	type Attention,
	historyOf,
	type PlannerInput,
	type PolledComputer,
	type Read,
	type ReadHistory,
} from './planner-input.ts';
import type { PollableFleet } from './pollable-fleet.ts';
import type { ReadResult } from './reads.ts';

/** The requests of the watch so far, and their results. The planner uses them as its input. */
export type RequestHistory = {
	/** The object stays the same; the calls below change its values. */
	readonly input: PlannerInput;
	/** Adds new computers and drops removed ones. */
	setFleet(fleet: PollableFleet): void;
	setAttention(attention: Attention): void;
	/** Notes that a person asked for these reads. They are sent next, whatever failed before. */
	request(reads: readonly Read[]): void;
	sent(read: Read, now: number): void;
	answered(read: Read, result: ReadResult, now: number): void;
	/** Notes a failure, and returns the time from which the read may be retried. */
	failed(read: Read, failure: Failure, now: number): number;
	/** Notes that the request was aborted, which counts neither as an answer nor as a failure. */
	cancelled(read: Read): void;
	/** Clears all backoffs, and treats every earlier answer as out of date. */
	refresh(now: number): void;
};

const notYet = Number.NEGATIVE_INFINITY;

const noHistory = (): ReadHistory => ({
	askedAt: notYet,
	answeredAt: notYet,
	isInFlight: false,
	backoff: null,
});

const emptyInput = () => ({
	visible: new Set<string>(),
	focused: true,
	computers: new Map<string, PolledComputer>(),
	histories: {
		list: noHistory(),
		status: noHistory(),
		detail: noHistory(),
		credits: noHistory(),
		subscription: noHistory(),
		release: noHistory(),
		models: noHistory(),
	},
	listHasStatus: null,
	detailHasStatus: null,
	detailAddsFields: null,
	isListUrgent: false,
	listRequests: 1,
	listDuration: 0,
	lastSpentAt: { urgent: notYet, attended: notYet, rest: notYet, detail: notYet },
	lastSweep: { at: notYet, lists: 0 },
	requested: [],
	staleBefore: notYet,
	outage: null,
});

// The planner sees `lastSpentAt` as read-only; only this file changes it.
type Input = PlannerInput & { lastSpentAt: Record<keyof PlannerInput['lastSpentAt'], number> };

export function createRequestHistory(random: () => number): RequestHistory {
	const input: Input = emptyInput();
	const outages = createOutages(input, random);
	const noteFields = createFieldNotes(input);
	let current: PollableFleet | undefined;

	return {
		input,
		setFleet(fleet) {
			if (fleet === current) return;
			current = fleet;
			updateFleet(input, fleet);
		},
		setAttention({ visible, focused, detail }) {
			input.visible = visible;
			input.focused = focused;
			if (detail === undefined) delete input.detail;
			else input.detail = detail;
		},
		request(reads) {
			input.requested = [...input.requested.filter(each => !reads.some(isSame(each))), ...reads];
			for (const read of reads) for (const each of historiesOf(input, read)) each.backoff = null;
			if (input.outage) input.outage = { ...input.outage, delay: 0 };
		},
		sent(read, now) {
			for (const each of historiesOf(input, read)) {
				each.askedAt = now;
				each.isInFlight = true;
			}
			noteSpending(input, read, now);
		},
		answered(read, result, now) {
			const askedAt = historyOf(input, read)?.askedAt ?? now;
			const isOnlyOneKindFailing = outages.isOnlyOneOtherKindFailing(read);
			noteFields(result, now - askedAt, current);
			for (const each of historiesOf(input, read)) {
				each.answeredAt = now;
				each.isInFlight = false;
				each.backoff = null;
			}
			input.requested = input.requested.filter(each => !isSame(read)(each));
			outages.afterAnswer(askedAt, isOnlyOneKindFailing);
		},
		failed: (read, failure, now) => outages.afterFailure(read, failure, now),
		cancelled(read) {
			for (const each of historiesOf(input, read)) each.isInFlight = false;
		},
		refresh: outages.refresh,
	};
}

/** A read of one computer has two histories: one of that computer, and one of the kind of read. */
function historiesOf(input: PlannerInput, read: Read): readonly ReadHistory[] {
	const own = historyOf(input, read);
	const kind = input.histories[read.name];
	return own && own !== kind ? [own, kind] : [kind];
}

function updateFleet(input: Input, { computers, listFields, isListUrgent }: PollableFleet) {
	input.listHasStatus = listFields === null ? null : listFields.has('status');
	input.isListUrgent = isListUrgent;
	const before = input.computers;
	input.computers = new Map(
		computers.map(({ id, urgentSince }): [string, PolledComputer] => {
			const known = before.get(id);
			if (!known) return [id, { id, urgentSince, status: noHistory(), detail: noHistory() }];
			known.urgentSince = urgentSince;
			return [id, known];
		}),
	);
	input.requested = input.requested.filter(each => historyOf(input, each));
}

function noteSpending(input: Input, { name, purpose }: Read, now: number) {
	if (name === 'list') input.lastSweep = { at: now, lists: input.lastSweep.lists + 1 };
	else if (name === 'detail') input.lastSpentAt.detail = now;
	else if (purpose === 'round') input.lastSweep = { at: now, lists: 0 };
	else if (purpose) input.lastSpentAt[purpose] = now;
}

/** Notes from the answers which read has which fields, and what a list costs. */
function createFieldNotes(input: Input) {
	const statusFields = new Set<string>();

	return (
		{ fact, requests }: ReadResult,
		duration: number,
		fleet: PollableFleet | undefined,
	): void => {
		if (fact.type === 'listRead') {
			input.listRequests = requests;
			input.listDuration = duration;
		} else if (fact.type === 'statusRead') {
			for (const field of Object.keys(fact.computer)) statusFields.add(field);
		} else if (fact.type === 'detailRead') {
			const fields = Object.keys(fact.computer);
			input.detailHasStatus = fields.includes('status');
			input.detailAddsFields = fields.some(
				field => !statusFields.has(field) && !fleet?.listFields?.has(field),
			);
		}
	};
}

// These failures concern the connection or the sign-in, so all other reads would fail as well.
const connectionFailures: readonly FailureKind[] = ['offline', 'auth'];

/**
 * Sets the backoff after failures. Several connection failures in a row begin an outage, in which only one
 * request at a time is sent:
 *
 * ```
 *   working ──3 connection failures, or 2 refused sign-ins──▶ outage ──any answer──▶ working
 * ```
 */
function createOutages(input: Input, random: () => number) {
	/** Connection failures in a row, before and during an outage. */
	let connection: Backoff | null = null;

	// No single computer caused the outage, so the backoff of each one is cleared.
	function end() {
		for (const { status, detail } of input.computers.values()) {
			status.backoff = null;
			detail.backoff = null;
		}
		connection = null;
		input.outage = null;
	}

	function refresh(now: number) {
		end();
		for (const each of Object.values(input.histories)) each.backoff = null;
		input.staleBefore = now;
	}

	return {
		refresh,
		isOnlyOneOtherKindFailing(read: Read): boolean {
			const failing = Object.values(input.histories).filter(({ backoff }) => backoff !== null);
			return failing.length === 1 && input.histories[read.name].backoff === null;
		},
		afterAnswer(askedAt: number, isOnlyOneKindFailing: boolean) {
			connection = null;
			// If only one kind of read fails and another kind works at its first try, the connection works. The
			// failing kind keeps its backoff.
			if (input.outage && isOnlyOneKindFailing) end();
			// The answer that ended the outage is up to date; all answers from before its request are stale.
			else if (input.outage) refresh(askedAt);
		},
		afterFailure(read: Read, failure: Failure, now: number): number {
			const askedAt = historyOf(input, read)?.askedAt ?? now;
			const next = (before: Backoff | null) => {
				// Requests that were in flight together usually fail together, so they count as one failure.
				const isNew = before === null || askedAt >= before.at;
				return isNew ? backoffAfter(before, failure, now, random) : before;
			};
			const kind = input.histories[read.name];
			for (const each of historiesOf(input, read)) {
				each.isInFlight = false;
				// A rate limit says nothing about the computer that the refused read was about.
				if (each === kind || failure.kind !== 'limited') each.backoff = next(each.backoff);
			}
			if (connectionFailures.includes(failure.kind)) {
				connection = next(connection);
				const isSignInRefused = failure.kind === 'auth' && connection.count > 1;
				if (isSignInRefused || isDown(connection)) input.outage = connection;
			}
			const backoff = input.outage ?? historyOf(input, read)?.backoff ?? kind.backoff;
			return Math.max(now, retryAt(backoff, now));
		},
	};
}

function isSame(read: Read): (other: Read) => boolean {
	return ({ name, id }) => name === read.name && id === read.id;
}
