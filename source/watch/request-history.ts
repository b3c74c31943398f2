import type { Failure } from '../foundation/failure.ts';
import { createOutageTracker } from './outage-tracker.ts';
import {
	type Attention,
	historiesOf,
	historyOf,
	type MutablePlannerInput,
	neverSent,
	type PlannerInput,
	type PolledComputer,
	type Read,
	type ReadHistory,
} from './planner-input.ts';
import type { PollableFleet } from './pollable-fleet.ts';
import type { ReadResult } from './reads.ts';
import { isSideRead, maxSideReadBurst } from './side-reads.ts';

/** The requests of the watch so far, and their results. The planner uses them as its input. */
export type RequestHistory = {
	/** The object stays the same; the calls below change its values. */
	readonly plannerInput: PlannerInput;
	/** Adds new computers and drops removed ones. */
	setFleet(fleet: PollableFleet): void;
	setAttention(attention: Attention): void;
	/** Notes that a person asked for these reads. They are sent next, even if an earlier read failed. */
	noteRequested(reads: readonly Read[]): void;
	noteSent(read: Read, now: number): void;
	/** Notes an answer. `sentAt` is the time at which the rate limit let the request be sent. */
	noteAnswered(read: Read, result: ReadResult, now: number, sentAt?: number): void;
	/** Notes a failure, and returns the time from which the read may be retried. */
	noteFailed(read: Read, failure: Failure, now: number): number;
	/** Notes that the request was aborted, which counts neither as an answer nor as a failure. */
	noteCancelled(read: Read): void;
	/** Clears all backoffs, and treats every earlier answer as out of date. */
	expireAnswers(now: number): void;
};

const beforeAllTimes = Number.NEGATIVE_INFINITY;

const createEmptyHistory = (): ReadHistory => ({ ...neverSent });

const createEmptyInput = () => ({
	visibleIds: new Set<string>(),
	attendedUntil: Number.POSITIVE_INFINITY,
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
	movingSince: null,
	requestsPerList: 1,
	listDurationMs: 0,
	lastSentAt: {
		urgent: beforeAllTimes,
		attended: beforeAllTimes,
		rest: beforeAllTimes,
		detail: beforeAllTimes,
	},
	sideReadTimes: [],
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
			updateFleet(input, fleet, current);
			current = fleet;
		},
		setAttention({ visibleIds, attendedUntil, detailId, restingSince }) {
			input.visibleIds = visibleIds;
			input.attendedUntil = attendedUntil;
			input.detailId = detailId;
			input.restingSince = restingSince;
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
		noteAnswered(read, result, now, sentAt) {
			const askedAt = historyOf(input, read)?.askedAt ?? now;
			const isOnlyOneKindFailing = outages.isOnlyOneOtherKindFailing(read);
			noteFields(result, now - (sentAt ?? askedAt), current);
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
	{ computers, listFields, isListUrgent, movingSince }: PollableFleet,
	earlier: PollableFleet | undefined,
) {
	input.listHasStatus = listFields === null ? null : listFields.has('status');
	input.isListUrgent = isListUrgent;
	input.movingSince = movingSince;
	if (computers === earlier?.computers) return;
	const before = input.computers;
	input.computers = new Map(
		computers.map((computer): [string, PolledComputer] => {
			const { id } = computer;
			const known = before.get(id);
			if (!known) return [id, { ...computer, status: neverSent, detail: neverSent }];
			return [id, Object.assign(known, computer)];
		}),
	);
	input.requestedReads = input.requestedReads.filter(each => historyOf(input, each));
}

function noteSendTime(input: MutablePlannerInput, read: Read, now: number) {
	const { name, purpose } = read;
	if (isSideRead(read, input))
		input.sideReadTimes = [...input.sideReadTimes, now].slice(-maxSideReadBurst);
	if (name === 'detail') input.lastSentAt.detail = now;
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
				field => field !== 'id' && !statusFields.has(field) && !fleet?.listFields?.has(field),
			);
		}
	};
}

function isSameReadAs(read: Read): (other: Read) => boolean {
	return ({ name, id }) => name === read.name && id === read.id;
}
