import type { Failure, FailureKind } from '../fleet/failure.ts';
import {
	type Outlook,
	type Read,
	type Tried,
	triedOf,
	type View,
	type Watched,
} from './outlook.ts';
import type { Told } from './reads.ts';
import { endOf, isDown, type Setback, setbackAfter } from './setback.ts';
import type { Subjects } from './subjects.ts';

/** What the watch remembers of its own asking: what the planner needs beside the state. */
export type Memory = {
	/** As it stands; it changes with what happens next. */
	readonly outlook: Outlook;
	/** Takes over who there is, and what a person looks at. */
	meet(subjects: Subjects): void;
	look(view: View): void;
	want(reads: readonly Read[]): void;
	asked(read: Read, now: number): void;
	answered(read: Read, told: Told, now: number): void;
	/** Says when it may be tried again. */
	failed(read: Read, failure: Failure, now: number): number;
	/** Called off: neither an answer nor a failure. */
	dropped(read: Read): void;
	/** Forgives every failure, and takes everything that was told before as out of date. */
	refresh(now: number): void;
};

const never = Number.NEGATIVE_INFINITY;

const untried = (): Tried => ({
	askedAt: never,
	answeredAt: never,
	isInFlight: false,
	setback: null,
});

export function createMemory(random: () => number): Memory {
	const spent = { urgent: never, attended: never, rest: never, detail: never };
	const outlook: Outlook = {
		visible: new Set(),
		focused: true,
		computers: new Map(),
		tried: {
			list: untried(),
			status: untried(),
			detail: untried(),
			credits: untried(),
			subscription: untried(),
			release: untried(),
			models: untried(),
		},
		listTells: null,
		detailTells: null,
		detailAdds: null,
		isListUrgent: false,
		listRequests: 1,
		listTook: 0,
		spent,
		look: { at: never, lists: 0 },
		wanted: [],
		freshFrom: never,
		outage: null,
	};
	const statusTells = new Set<string>();
	let met: Subjects | undefined;
	let trouble: Setback | null = null;

	/** What is asked per computer is counted twice: for the computer, and for that kind of read. */
	function countersOf(read: Read): readonly Tried[] {
		const one = triedOf(outlook, read);
		const kind = outlook.tried[read.name];
		return one && one !== kind ? [one, kind] : [kind];
	}

	/** What failed in an outage was not the fault of the computer that was asked about. */
	function endOutage() {
		for (const { status, detail } of outlook.computers.values()) {
			status.setback = null;
			detail.setback = null;
		}
		trouble = null;
		outlook.outage = null;
	}

	function refresh(now: number) {
		endOutage();
		for (const each of Object.values(outlook.tried)) each.setback = null;
		outlook.freshFrom = now;
	}

	function learn({ happening, requests }: Told, took: number) {
		if (happening.type === 'listRead') {
			outlook.listRequests = requests;
			outlook.listTook = took;
		} else if (happening.type === 'statusRead') {
			for (const field of Object.keys(happening.computer)) statusTells.add(field);
		} else if (happening.type === 'detailRead') {
			const fields = Object.keys(happening.computer);
			outlook.detailTells = fields.includes('status');
			outlook.detailAdds = fields.some(
				field => !statusTells.has(field) && !met?.listTells?.has(field),
			);
		}
	}

	return {
		outlook,
		meet(subjects) {
			if (subjects === met) return;
			met = subjects;
			outlook.listTells = subjects.listTells === null ? null : subjects.listTells.has('status');
			outlook.isListUrgent = subjects.isListUrgent;
			const before = outlook.computers;
			outlook.computers = new Map(
				subjects.computers.map(({ id, urgentSince }): [string, Watched] => {
					const known = before.get(id);
					if (!known) return [id, { id, urgentSince, status: untried(), detail: untried() }];
					known.urgentSince = urgentSince;
					return [id, known];
				}),
			);
			outlook.wanted = outlook.wanted.filter(each => triedOf(outlook, each));
		},
		look(view) {
			outlook.visible = view.visible;
			outlook.focused = view.focused;
			if (view.detail === undefined) delete outlook.detail;
			else outlook.detail = view.detail;
		},
		want(reads) {
			outlook.wanted = [...outlook.wanted.filter(each => !reads.some(isSame(each))), ...reads];
			for (const read of reads) for (const each of countersOf(read)) each.setback = null;
			if (outlook.outage) outlook.outage = { ...outlook.outage, delay: 0 };
		},
		asked(read, now) {
			for (const each of countersOf(read)) {
				each.askedAt = now;
				each.isInFlight = true;
			}
			if (read.name === 'list') outlook.look = { at: now, lists: outlook.look.lists + 1 };
			else if (read.name === 'detail') spent.detail = now;
			else if (read.stream === 'round') outlook.look = { at: now, lists: 0 };
			else if (read.stream) spent[read.stream] = now;
		},
		answered(read, told, now) {
			const askedAt = triedOf(outlook, read)?.askedAt ?? now;
			const failing = Object.values(outlook.tried).filter(({ setback }) => setback !== null);
			const isOneKind = failing.length === 1 && outlook.tried[read.name].setback === null;
			learn(told, now - askedAt);
			for (const each of countersOf(read)) {
				each.answeredAt = now;
				each.isInFlight = false;
				each.setback = null;
			}
			outlook.wanted = outlook.wanted.filter(each => !isSame(read)(each));
			trouble = null;
			// Another kind works at its first try: only that one is out of order, and still is.
			if (outlook.outage && isOneKind) endOutage();
			// It is fresh itself: what was asked for before it is not.
			else if (outlook.outage) refresh(askedAt);
		},
		failed(read, failure, now) {
			const askedAt = triedOf(outlook, read)?.askedAt ?? now;
			const after = (before: Setback | null) => {
				// Many that were under way together fail together: that is one failure.
				const isNews = before === null || askedAt >= before.at;
				return isNews ? setbackAfter(before, failure, now, random) : before;
			};
			const kind = outlook.tried[read.name];
			for (const each of countersOf(read)) {
				each.isInFlight = false;
				// That too much was asked is not about the one that happened to be asked about.
				if (each === kind || failure.kind !== 'limited') each.setback = after(each.setback);
			}
			if (general.includes(failure.kind)) {
				trouble = after(trouble);
				const isRefused = failure.kind === 'auth' && trouble.count > 1;
				if (isRefused || isDown(trouble)) outlook.outage = trouble;
			}
			const setback = outlook.outage ?? triedOf(outlook, read)?.setback ?? kind.setback;
			return Math.max(now, endOf(setback, now));
		},
		dropped(read) {
			for (const each of countersOf(read)) each.isInFlight = false;
		},
		refresh,
	};
}

// These are not about what was asked for: nothing else will get through either.
const general: readonly FailureKind[] = ['offline', 'auth'];

function isSame(read: Read): (other: Read) => boolean {
	return ({ name, id }) => name === read.name && id === read.id;
}
