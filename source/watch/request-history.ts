import type { Failure } from '../foundation/failure.ts';
import { createOutageTracker } from './outage-tracker.ts';
import {
	type Attention,
	historiesOf,
	historyOf,
	type MutablePlannerInput,
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
	readonly plannerInput: PlannerInput;
	/** Adds new computers and drops removed ones. */
	setFleet(fleet: PollableFleet): void;
	setAttention(attention: Attention): void;
	/** Notes that a person asked for these reads. They are sent next, whatever failed before. */
	noteRequested(reads: readonly Read[]): void;
	noteSent(read: Read, now: number): void;
	noteAnswered(read: Read, result: ReadResult, now: number): void;
	/** Notes a failure, and returns the time from which the read may be retried. */
	noteFailed(read: Read, failure: Failure, now: number): number;
	/** Notes that the request was aborted, which counts neither as an answer nor as a failure. */
	noteCancelled(read: Read): void;
	/** Clears all backoffs, and treats every earlier answer as out of date. */
	expireAnswers(now: number): void;
};

const beforeAllTimes = Number.NEGATIVE_INFINITY;

const createEmptyHistory = (): ReadHistory => ({
	askedAt: beforeAllTimes,
	answeredAt: beforeAllTimes,
	isInFlight: false,
	backoff: null,
});

const createEmptyInput = () => ({
	visibleIds: new Set<string>(),
	isFocused: true,
	computers: new Map<string, PolledComputer>(),
	histories: {
		list: createEmptyHistory(),
		status: createEmptyHistory(),
		detail: createEmptyHistory(),
		credits: createEmptyHistory(),
		subscription: createEmptyHistory(),
		release: createEmptyHistory(),
		models: createEmptyHistory(),
	},
	listHasStatus: null,
	detailHasStatus: null,
	detailAddsFields: null,
	isListUrgent: false,
	requestsPerList: 1,
	listDurationMs: 0,
	lastSentAt: {
		urgent: beforeAllTimes,
		attended: beforeAllTimes,
		rest: beforeAllTimes,
		detail: beforeAllTimes,
	},
	lastFleetRead: { readAt: beforeAllTimes, listsSinceRound: 0 },
	requestedReads: [],
	answersStaleBefore: beforeAllTimes,
	outageBackoff: null,
});

export function createRequestHistory(random: () => number): RequestHistory {
	const input: MutablePlannerInput = createEmptyInput();
	const outages = createOutageTracker(input, random);
	const noteFields = createFieldTracker(input);
	let current: PollableFleet | undefined;

	return {
		plannerInput: input,
		setFleet(fleet) {
			if (fleet === current) return;
			current = fleet;
			updateFleet(input, fleet);
		},
		setAttention({ visibleIds, isFocused, detailId }) {
			input.visibleIds = visibleIds;
			input.isFocused = isFocused;
			input.detailId = detailId;
		},
		noteRequested(reads) {
			input.requestedReads = [
				...input.requestedReads.filter(each => !reads.some(isSameReadAs(each))),
				...reads,
			];
			for (const read of reads) for (const each of historiesOf(input, read)) each.backoff = null;
			if (input.outageBackoff) input.outageBackoff = { ...input.outageBackoff, delayMs: 0 };
		},
		noteSent(read, now) {
			for (const each of historiesOf(input, read)) {
				each.askedAt = now;
				each.isInFlight = true;
			}
			noteSendTime(input, read, now);
		},
		noteAnswered(read, result, now) {
			const askedAt = historyOf(input, read)?.askedAt ?? now;
			const isOnlyOneKindFailing = outages.isOnlyOneOtherKindFailing(read);
			noteFields(result, now - askedAt, current);
			for (const each of historiesOf(input, read)) {
				each.answeredAt = now;
				each.isInFlight = false;
				each.backoff = null;
			}
			input.requestedReads = input.requestedReads.filter(each => !isSameReadAs(read)(each));
			outages.afterAnswer(askedAt, isOnlyOneKindFailing);
		},
		noteFailed: (read, failure, now) => outages.afterFailure(read, failure, now),
		noteCancelled(read) {
			for (const each of historiesOf(input, read)) each.isInFlight = false;
		},
		expireAnswers: outages.refresh,
	};
}

function updateFleet(
	input: MutablePlannerInput,
	{ computers, listFields, isListUrgent }: PollableFleet,
) {
	input.listHasStatus = listFields === null ? null : listFields.has('status');
	input.isListUrgent = isListUrgent;
	const before = input.computers;
	input.computers = new Map(
		computers.map(({ id, urgentSince }): [string, PolledComputer] => {
			const known = before.get(id);
			if (!known)
				return [
					id,
					{ id, urgentSince, status: createEmptyHistory(), detail: createEmptyHistory() },
				];
			known.urgentSince = urgentSince;
			return [id, known];
		}),
	);
	input.requestedReads = input.requestedReads.filter(each => historyOf(input, each));
}

function noteSendTime(input: MutablePlannerInput, { name, purpose }: Read, now: number) {
	if (name === 'list')
		input.lastFleetRead = { readAt: now, listsSinceRound: input.lastFleetRead.listsSinceRound + 1 };
	else if (name === 'detail') input.lastSentAt.detail = now;
	else if (purpose === 'round') input.lastFleetRead = { readAt: now, listsSinceRound: 0 };
	else if (purpose) input.lastSentAt[purpose] = now;
}

/** Notes which fields the answers to each kind of read have, and how many requests a list takes. */
function createFieldTracker(input: MutablePlannerInput) {
	const statusFields = new Set<string>();

	return (
		{ fact, requestCount }: ReadResult,
		duration: number,
		fleet: PollableFleet | undefined,
	): void => {
		if (fact.type === 'listRead') {
			input.requestsPerList = requestCount;
			input.listDurationMs = duration;
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

function isSameReadAs(read: Read): (other: Read) => boolean {
	return ({ name, id }) => name === read.name && id === read.id;
}
