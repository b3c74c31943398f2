import { operationRowOf } from '../../../source/fleet/operations/operation-table.ts';
import type { OperationTitle } from './frame.ts';
import type { Context } from './report.ts';

/** An operation that a person has confirmed, judged by the screen and the keys alone. */
type Permission = OperationTitle & {
	/** The id of the computer; undefined if the question showed none. */
	id: string | undefined;
	/** The text of the question, which names only the first few of many computers. */
	text: string;
	port: string | undefined;
	/** The time at which the countdown ends, on a clock that never jumps; Infinity while the countdown is held. */
	countdownEndsAt: number;
	countdown: number;
	/** The ids of computers for which a request was sent. */
	requestedIds: Set<string>;
	/** The ids of computers whose request may have been carried out, so that it must not be sent again. */
	doneIds: Set<string>;
};

/** A request that reached the platform. */
export type ArrivedRequest = {
	operation: string;
	id: string;
	port: string | undefined;
	/** The program that sent the request had already quit. */
	hasQuit: boolean;
};

const countdownMs = 4_000;
/** Anything on more computers than this is typed, and counted down. */
export const maxComputersWithoutTyping = 5;

/** Records confirmed operations, and reports each request that was not confirmed, came too early or came twice. */
export function createPermissions({ counts, note, problem, elapsed, namesOf }: Context) {
	let permissions: Permission[] = [];

	const isCounting = ({ countdownEndsAt: from }: Permission) => from > elapsed();

	function allows(each: Permission, { operation, id, port }: ArrivedRequest) {
		if (each.operation !== operation || each.doneIds.has(id)) return false;
		if (each.port !== undefined && each.port !== port) return false;
		if (id === '') return true;
		if (!each.requestedIds.has(id) && each.requestedIds.size >= each.count) return false;
		if (each.id !== undefined) return each.id === id;
		const called = [id, ...namesOf(id)];
		if (each.count === 1) return called.some(name => isNameOf(name, each));
		const areAllNamed = each.count <= 5 && !each.text.includes('…');
		return !areAllNamed || called.some(name => each.text.includes(name));
	}

	return {
		grant(title: OperationTitle, text: string, id: string | undefined, port: string | undefined) {
			const { operation, target, count } = title;
			const isCounted =
				operationRowOf(operation).asks !== 'ask' || count > maxComputersWithoutTyping;
			const countdown = isCounted ? countdownMs : 0;
			if (count > 1) counts.batches += 1;
			note(`confirmed ${operation} ${target}`);
			permissions.push({
				...title,
				text,
				port,
				countdown,
				id: count === 1 ? id : undefined,
				countdownEndsAt: elapsed() + countdown,
				requestedIds: new Set(),
				doneIds: new Set(),
			});
		},
		/** Holds all countdowns, because they cannot be seen. */
		hold() {
			for (const each of permissions.filter(isCounting)) {
				if (each.countdownEndsAt === Infinity) continue;
				counts.held += 1;
				note(`held ${each.operation} ${each.target}`);
				each.countdownEndsAt = Infinity;
			}
		},
		/** Restarts all held countdowns from their full time. */
		release(at: number) {
			for (const each of permissions) {
				if (each.countdownEndsAt === Infinity) each.countdownEndsAt = at + each.countdown;
			}
		},
		/** Withdraws the permissions that Esc has cancelled: those with a countdown. */
		cancel() {
			const cancelled = permissions.filter(isCounting);
			if (cancelled.length === 0) return;
			counts.cancelled += 1;
			const named = cancelled.map(({ operation, target }) => `${operation} ${target}`);
			note(`cancelled ${named.join()}`);
			permissions = permissions.filter(each => !cancelled.includes(each));
		},
		/** Whether the queue holds an operation: its countdown is over, but not all of its requests were sent. */
		hasQueued: () =>
			permissions.some(each => !isCounting(each) && each.doneIds.size < Math.max(1, each.count)),
		/** Checks a request that has left against the permissions. Returns what a refusal undoes: it may be sent again. */
		use(arrival: ArrivedRequest, request: string) {
			const { id } = arrival;
			const matching = permissions.filter(each => allows(each, arrival));
			// A name may match several permissions, but an id matches only its own.
			const permission = matching.find(each => each.id === id) ?? matching[0];
			if (!permission) {
				problem(`${request} was not confirmed`);
				return () => {};
			}
			if (isCounting(permission)) problem(`${request} within its countdown`);
			if (permission.requestedIds.has(id)) counts.resent += 1;
			permission.requestedIds.add(id);
			permission.doneIds.add(id);
			return () => void permission.doneIds.delete(id);
		},
	};
}

/** Whether the target in a title, which may be cut off, is the name of a computer. */
export const isNameOf = (name: string, { target, isTargetCut }: OperationTitle): boolean =>
	isTargetCut ? name.startsWith(target) : name === target;
