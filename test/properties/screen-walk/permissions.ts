import type { Named } from './frame.ts';
import type { Report } from './report.ts';

/** An operation that a person has confirmed, as far as the screen and the keys show. */
type Permission = Pick<Named, 'operation' | 'who' | 'isCut' | 'count'> & {
	/** Absent where the question showed no id. */
	id: string | undefined;
	/** The text of the question, which names the first few of many computers. */
	text: string;
	port: string | undefined;
	/** When its grace ends, by a clock that never jumps; Infinity while the countdown is out of sight. */
	from: number;
	grace: number;
	/** The computers that a request was sent for. */
	ids: Set<string>;
	/** Those whose request may have been carried out, and must not be sent again. */
	spent: Set<string>;
};

/** A request that reached the platform. */
export type Arrival = {
	operation: string;
	id: string;
	port: string | undefined;
	/** Certainly not carried out: it may be sent again. */
	isRefused: boolean;
	/** Its answer never arrives. */
	isLost: boolean;
	/** The program that sent it had been asked to end. */
	hasQuit: boolean;
};

type Options = {
	report: Report;
	elapsed: () => number;
	/** All names that a computer has had. */
	namesOf: (id: string) => readonly string[];
};

const graces: Readonly<Record<string, number>> = { stop: 4_000, delete: 5_000 };

/** Knows what was confirmed, and reports every request that was not, or that came too early or twice. */
export function createPermissions({ report, elapsed, namesOf }: Options) {
	const { met, note, problem } = report;
	let permissions: Permission[] = [];

	const isCounting = ({ from }: Permission) => from > elapsed();

	function allows(each: Permission, { operation, id, port }: Arrival) {
		if (each.operation !== operation || each.spent.has(id)) return false;
		if (each.port !== undefined && each.port !== port) return false;
		if (id === '') return true;
		if (!each.ids.has(id) && each.ids.size >= each.count) return false;
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
				from: elapsed() + grace,
				ids: new Set(),
				spent: new Set(),
			});
		},
		/** Countdowns are out of sight. */
		hold() {
			for (const each of permissions.filter(isCounting)) {
				if (each.from === Infinity) continue;
				met.held += 1;
				note(`held ${each.operation} ${each.who}`);
				each.from = Infinity;
			}
		},
		/** Countdowns are in sight again, and start from their full time. */
		release(at: number) {
			for (const each of permissions) {
				if (each.from === Infinity) each.from = at + each.grace;
			}
		},
		/** Esc cancelled everything that waits, or only what counts down. */
		cancel(what: 'all' | 'countdowns') {
			const kept = permissions.filter(each => what === 'all' || isCounting(each));
			if (kept.length === 0) return;
			met.cancelled += 1;
			note(`cancelled ${kept.map(({ operation, who }) => `${operation} ${who}`).join()}`);
			permissions = permissions.filter(each => !kept.includes(each));
		},
		/** Whether something waits in the queue: its grace is over, and not all of it was sent. */
		hasQueued: () =>
			permissions.some(each => !isCounting(each) && each.spent.size < Math.max(1, each.count)),
		/** A request arrived. */
		use(arrival: Arrival, what: string) {
			const { id, isRefused } = arrival;
			const fitting = permissions.filter(each => allows(each, arrival));
			// A name may fit several permissions; an id fits only its own.
			const permission = fitting.find(each => each.id === id) ?? fitting[0];
			if (!permission) return problem(`${what} was not asked for`);
			if (isCounting(permission)) problem(`${what} within its grace`);
			if (permission.ids.has(id)) met.resent += 1;
			permission.ids.add(id);
			if (!isRefused) permission.spent.add(id);
		},
		/** The program ended: what had not been sent by then never is. */
		clear() {
			permissions = [];
		},
	};
}

/** Whether a title names a computer, perhaps with only the beginning of its name. */
export function isNamed(name: string, { who, isCut }: Pick<Named, 'who' | 'isCut'>): boolean {
	return isCut ? name.startsWith(who) : name === who;
}
