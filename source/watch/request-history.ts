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

/** What the watch remembers of its own asking: what the planner needs beside the state. */
export type RequestHistory = {
	/** As it stands; it changes with what happens next. */
	readonly input: PlannerInput;
	/** Takes over who there is, and what a person looks at. */
	setFleet(subjects: PollableFleet): void;
	setAttention(view: Attention): void;
	request(reads: readonly Read[]): void;
	sent(read: Read, now: number): void;
	answered(read: Read, told: ReadResult, now: number): void;
	/** Says when it may be tried again. */
	failed(read: Read, failure: Failure, now: number): number;
	/** Called off: neither an answer nor a failure. */
	cancelled(read: Read): void;
	/** Forgives every failure, and takes everything that was told before as out of date. */
	refresh(now: number): void;
};

const never = Number.NEGATIVE_INFINITY;

const noHistory = (): ReadHistory => ({
	askedAt: never,
	answeredAt: never,
	isInFlight: false,
	backoff: null,
});

export function createRequestHistory(random: () => number): RequestHistory {
	const spent = { urgent: never, attended: never, rest: never, detail: never };
	const outlook: PlannerInput = {
		visible: new Set(),
		focused: true,
		computers: new Map(),
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
		lastSpentAt: spent,
		lastSweep: { at: never, lists: 0 },
		requested: [],
		staleBefore: never,
		outage: null,
	};
	const statusTells = new Set<string>();
	let met: PollableFleet | undefined;
	let trouble: Backoff | null = null;

	/** What is asked per computer is counted twice: for the computer, and for that kind of read. */
	function countersOf(read: Read): readonly ReadHistory[] {
		const one = historyOf(outlook, read);
		const kind = outlook.histories[read.name];
		return one && one !== kind ? [one, kind] : [kind];
	}

	/** What failed in an outage was not the fault of the computer that was asked about. */
	function endOutage() {
		for (const { status, detail } of outlook.computers.values()) {
			status.backoff = null;
			detail.backoff = null;
		}
		trouble = null;
		outlook.outage = null;
	}

	function refresh(now: number) {
		endOutage();
		for (const each of Object.values(outlook.histories)) each.backoff = null;
		outlook.staleBefore = now;
	}

	function learn({ happening, requests }: ReadResult, took: number) {
		if (happening.type === 'listRead') {
			outlook.listRequests = requests;
			outlook.listDuration = took;
		} else if (happening.type === 'statusRead') {
			for (const field of Object.keys(happening.computer)) statusTells.add(field);
		} else if (happening.type === 'detailRead') {
			const fields = Object.keys(happening.computer);
			outlook.detailHasStatus = fields.includes('status');
			outlook.detailAddsFields = fields.some(
				field => !statusTells.has(field) && !met?.listFields?.has(field),
			);
		}
	}

	return {
		input: outlook,
		setFleet(subjects) {
			if (subjects === met) return;
			met = subjects;
			outlook.listHasStatus =
				subjects.listFields === null ? null : subjects.listFields.has('status');
			outlook.isListUrgent = subjects.isListUrgent;
			const before = outlook.computers;
			outlook.computers = new Map(
				subjects.computers.map(({ id, urgentSince }): [string, PolledComputer] => {
					const known = before.get(id);
					if (!known) return [id, { id, urgentSince, status: noHistory(), detail: noHistory() }];
					known.urgentSince = urgentSince;
					return [id, known];
				}),
			);
			outlook.requested = outlook.requested.filter(each => historyOf(outlook, each));
		},
		setAttention(view) {
			outlook.visible = view.visible;
			outlook.focused = view.focused;
			if (view.detail === undefined) delete outlook.detail;
			else outlook.detail = view.detail;
		},
		request(reads) {
			outlook.requested = [
				...outlook.requested.filter(each => !reads.some(isSame(each))),
				...reads,
			];
			for (const read of reads) for (const each of countersOf(read)) each.backoff = null;
			if (outlook.outage) outlook.outage = { ...outlook.outage, delay: 0 };
		},
		sent(read, now) {
			for (const each of countersOf(read)) {
				each.askedAt = now;
				each.isInFlight = true;
			}
			if (read.name === 'list') outlook.lastSweep = { at: now, lists: outlook.lastSweep.lists + 1 };
			else if (read.name === 'detail') spent.detail = now;
			else if (read.purpose === 'round') outlook.lastSweep = { at: now, lists: 0 };
			else if (read.purpose) spent[read.purpose] = now;
		},
		answered(read, told, now) {
			const askedAt = historyOf(outlook, read)?.askedAt ?? now;
			const failing = Object.values(outlook.histories).filter(({ backoff }) => backoff !== null);
			const isOneKind = failing.length === 1 && outlook.histories[read.name].backoff === null;
			learn(told, now - askedAt);
			for (const each of countersOf(read)) {
				each.answeredAt = now;
				each.isInFlight = false;
				each.backoff = null;
			}
			outlook.requested = outlook.requested.filter(each => !isSame(read)(each));
			trouble = null;
			// Another kind works at its first try: only that one is out of order, and still is.
			if (outlook.outage && isOneKind) endOutage();
			// It is fresh itself: what was asked for before it is not.
			else if (outlook.outage) refresh(askedAt);
		},
		failed(read, failure, now) {
			const askedAt = historyOf(outlook, read)?.askedAt ?? now;
			const after = (before: Backoff | null) => {
				// Many that were under way together fail together: that is one failure.
				const isNews = before === null || askedAt >= before.at;
				return isNews ? backoffAfter(before, failure, now, random) : before;
			};
			const kind = outlook.histories[read.name];
			for (const each of countersOf(read)) {
				each.isInFlight = false;
				// That too much was asked is not about the one that happened to be asked about.
				if (each === kind || failure.kind !== 'limited') each.backoff = after(each.backoff);
			}
			if (connectionFailures.includes(failure.kind)) {
				trouble = after(trouble);
				const isRefused = failure.kind === 'auth' && trouble.count > 1;
				if (isRefused || isDown(trouble)) outlook.outage = trouble;
			}
			const setback = outlook.outage ?? historyOf(outlook, read)?.backoff ?? kind.backoff;
			return Math.max(now, retryAt(setback, now));
		},
		cancelled(read) {
			for (const each of countersOf(read)) each.isInFlight = false;
		},
		refresh,
	};
}

// These are not about what was asked for: nothing else will get through either.
const connectionFailures: readonly FailureKind[] = ['offline', 'auth'];

function isSame(read: Read): (other: Read) => boolean {
	return ({ name, id }) => name === read.name && id === read.id;
}
