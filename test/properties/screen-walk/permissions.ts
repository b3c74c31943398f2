import type { Named } from './frame.ts';
import type { Report } from './report.ts';

/** An operation that a person has confirmed, as far as the screen and the keys show. */
type Permission = Pick<Named, 'operation' | 'who' | 'isCut' | 'count'> & {
	/** Absent where the question showed no id. */
	id: string | undefined;
	/** The text of the question, which names the first few of many computers. */
	text: string;
	port: string | undefined;
	/** When the grace ends, on a clock that never jumps; Infinity while the countdown is held. */
	graceEndsAt: number;
	grace: number;
	/** The computers for which a request was sent. */
	requestedIds: Set<string>;
	/** The computers whose request may have been carried out, so that it must not be sent again. */
	doneIds: Set<string>;
};

/** A request that reached the platform. */
export type Arrival = {
	operation: string;
	id: string;
	port: string | undefined;
	/** The platform refused the request, so it may be sent again. */
	isRefused: boolean;
	/** The response never arrives. */
	isLost: boolean;
	/** The program that sent the request had already quit. */
	hasQuit: boolean;
};

type PermissionOptions = {
	report: Report;
	elapsed: () => number;
	/** All names that a computer has had. */
	namesOf: (id: string) => readonly string[];
};

const graces: Readonly<Record<string, number>> = { stop: 4_000, delete: 5_000 };

/** Records what was confirmed, and reports each request that was not, or that came too early or twice. */
export function createPermissions({ report, elapsed, namesOf }: PermissionOptions) {
	const { met, note, problem } = report;
	let permissions: Permission[] = [];

	const isCounting = ({ graceEndsAt: from }: Permission) => from > elapsed();

	function allows(each: Permission, { operation, id, port }: Arrival) {
		if (each.operation !== operation || each.doneIds.has(id)) return false;
		if (each.port !== undefined && each.port !== port) return false;
		if (id === '') return true;
		if (!each.requestedIds.has(id) && each.requestedIds.size >= each.count) return false;
		if (each.id !== undefined) return each.id === id;
		const called = [id, ...namesOf(id)];
		if (each.count === 1) return called.some(name => isNamed(name, each));
		const areAllNamed = each.count <= 5 && !each.text.includes('…');
		return !areAllNamed || called.some(name => each.text.includes(name));
	}

	return {
		grant(named: Named, text: string, id: string | undefined, port: string | undefined) {
			const { operation, who, isCut, count } = named;
			const grace = graces[operation] ?? 0;
			if (count > 1) met.batches += 1;
			note(`confirmed ${operation} ${who}`);
			permissions.push({
				...{ operation, who, isCut, count, text, port, grace },
				id: count === 1 ? id : undefined,
				graceEndsAt: elapsed() + grace,
				requestedIds: new Set(),
				doneIds: new Set(),
			});
		},
		/** Holds all countdowns, because they cannot be seen. */
		hold() {
			for (const each of permissions.filter(isCounting)) {
				if (each.graceEndsAt === Infinity) continue;
				met.held += 1;
				note(`held ${each.operation} ${each.who}`);
				each.graceEndsAt = Infinity;
			}
		},
		/** Restarts all held countdowns from their full time. */
		release(at: number) {
			for (const each of permissions) {
				if (each.graceEndsAt === Infinity) each.graceEndsAt = at + each.grace;
			}
		},
		/** Withdraws what Esc has cancelled: everything that waits, or only the countdowns. */
		cancel(what: 'all' | 'countdowns') {
			const kept = permissions.filter(each => what === 'all' || isCounting(each));
			if (kept.length === 0) return;
			met.cancelled += 1;
			note(`cancelled ${kept.map(({ operation, who }) => `${operation} ${who}`).join()}`);
			permissions = permissions.filter(each => !kept.includes(each));
		},
		/** Whether the queue holds an operation: its grace is over, but not all of its requests were sent. */
		hasQueued: () =>
			permissions.some(each => !isCounting(each) && each.doneIds.size < Math.max(1, each.count)),
		/** Checks a request that has arrived against the permissions. */
		use(arrival: Arrival, what: string) {
			const { id, isRefused } = arrival;
			const fitting = permissions.filter(each => allows(each, arrival));
			// A name may fit several permissions; an id fits only its own.
			const permission = fitting.find(each => each.id === id) ?? fitting[0];
			if (!permission) return problem(`${what} was not asked for`);
			if (isCounting(permission)) problem(`${what} within its grace`);
			if (permission.requestedIds.has(id)) met.resent += 1;
			permission.requestedIds.add(id);
			if (!isRefused) permission.doneIds.add(id);
		},
		/** Withdraws all permissions, because the program has ended. */
		clear() {
			permissions = [];
		},
	};
}

/** Whether a title names a computer, perhaps with only the beginning of its name. */
export function isNamed(name: string, { who, isCut }: Pick<Named, 'who' | 'isCut'>): boolean {
	return isCut ? name.startsWith(who) : name === who;
}
