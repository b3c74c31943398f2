import * as v from '../foundation/schema.ts';
import { stopReasonSchema } from './computers/stop-reason.ts';
import { operationSpecSchema } from './operations/operation.ts';

/** The change was noticed at `at`. It happened after `notBefore`, when the old value was last seen. */
const noticedFields = { at: v.time, notBefore: v.time };

export const accountEvents = ['accountDown', 'accountUp', 'creditsLow', 'creditsEnough'] as const;

export type AccountEvent = (typeof accountEvents)[number];

export const changeSchema = v.unionOf({
	/** `from` is null for a new computer, and `to` is null for a removed computer. */
	statusChanged: {
		...noticedFields,
		id: v.id,
		name: v.optional(v.name),
		from: v.nullable(v.word),
		to: v.nullable(v.word),
		lasted: v.optional(v.number),
		reason: v.optional(stopReasonSchema),
		error: v.optional(v.text),
	},
	operationMoved: {
		at: v.time,
		wish: operationSpecSchema,
		to: v.oneOf(['sent', 'unknown', 'failed', 'settled', 'cancelled']),
		/** With "sent": the platform has accepted the request, and the process ended without waiting for more. */
		isAccepted: v.optional(v.boolean),
		/** In milliseconds since the request was sent; since it was asked for if none was sent. */
		took: v.number,
		who: v.optional(v.email),
		/** Absent for this process, except in the journal. */
		pane: v.optional(v.word),
		/** Another machine with the same home folder. Only that machine knows its processes. */
		isElsewhere: v.optional(v.boolean),
		message: v.optional(v.text),
	},
	toppedUp: { ...noticedFields, from: v.number, to: v.number },
	released: { ...noticedFields, from: v.word, to: v.word },
	accountNoted: {
		...noticedFields,
		event: v.oneOf(accountEvents),
		name: v.optional(v.name),
		message: v.optional(v.text),
	},
	hookFailed: { ...noticedFields, hook: v.text, message: v.text },
});

export type Change = v.ValueOf<typeof changeSchema>;

export type StatusChange = Extract<Change, { type: 'statusChanged' }>;
export type AccountNote = Extract<Change, { type: 'accountNoted' }>;
export type OperationMove = Extract<Change, { type: 'operationMoved' }>;

/**
 * If two processes noticed the same change, their spans between `notBefore` and `at` overlap. Of a change that was
 * noticed as one instead of two, the part after the last known status is kept:
 *
 * ```
 *   one process      active → stopping
 *   another        ├───────────── active → stopped ─────────────┤
 *   merged           active → stopping   stopping → stopped
 * ```
 */
export function mergeChanges(
	changes: readonly Change[],
	otherChanges: readonly Change[],
): readonly Change[] {
	const merged: Change[] = [];
	const indexBySubject = new Map<string, number>();
	const latestByComputer = new Map<string, StatusChange>();
	const previous = new Map<number, StatusChange | undefined>();
	for (const change of [...changes, ...otherChanges].sort((a, b) => a.at - b.at)) {
		const subject = subjectKeyOf(change);
		const index = indexBySubject.get(subject);
		const earlier = index === undefined ? undefined : merged[index];
		const later =
			change.type === 'statusChanged'
				? (continuationOf(previous.get(index ?? -1), change) ?? change)
				: change;
		const combined = earlier && mergedChange(earlier, later);
		if (combined && index !== undefined) {
			merged[index] = combined;
			continue;
		}
		if (change.type !== 'statusChanged') {
			indexBySubject.set(subject, merged.length);
			merged.push(change);
			continue;
		}
		const latest = latestByComputer.get(change.id);
		const next = continuationOf(latest, change);
		if (!next) continue;
		previous.set(merged.length, latest);
		latestByComputer.set(change.id, next);
		indexBySubject.set(subjectKeyOf(next), merged.length);
		merged.push(next);
	}
	return merged;
}

/** Undefined if the latest change already led to the same status. */
export function continuationOf(
	latest: StatusChange | undefined,
	change: StatusChange,
): StatusChange | undefined {
	if (!latest || latest.at <= change.notBefore) return change;
	if (latest.to === change.to) return undefined;
	const { lasted, ...rest } = change;
	const isLastedKnown = lasted !== undefined && lasted <= change.at - latest.notBefore;
	return {
		...rest,
		...(isLastedKnown && { lasted }),
		from: latest.to,
		notBefore: latest.at,
	};
}

function subjectKeyOf(change: Change): string {
	switch (change.type) {
		case 'statusChanged':
			return JSON.stringify([change.type, change.id, change.from, change.to]);
		case 'operationMoved':
			return JSON.stringify([
				change.type,
				change.wish.key,
				change.to,
				change.isAccepted,
				change.at,
			]);
		case 'released':
			return JSON.stringify([change.type, change.to]);
		case 'hookFailed':
			return JSON.stringify([change.type, change.hook, change.message]);
		case 'accountNoted':
			return change.event;
		case 'toppedUp':
			return change.type;
	}
}

// Undefined if the records describe different changes.
function mergedChange(earlier: Change, later: Change): Change | undefined {
	if (earlier.type === 'operationMoved' || later.type === 'operationMoved') return earlier;
	if (later.notBefore >= earlier.at && later.at !== earlier.at) return undefined;
	const notBefore = Math.max(earlier.notBefore, Math.min(later.notBefore, earlier.at));
	if (earlier.type !== 'statusChanged' || later.type !== 'statusChanged') {
		return { ...earlier, notBefore };
	}
	const moreInformed = later.reason === 'asked' || earlier.reason === undefined ? later : earlier;
	return {
		...later,
		...earlier,
		lasted: earlier.lasted,
		notBefore,
		...(moreInformed.reason && { reason: moreInformed.reason }),
	};
}

export type OwnEmails = ReadonlySet<string>;

/** If the user's address is not known, every operation counts as the user's own. */
export const personBehind = ({ who }: OperationMove, own: OwnEmails): string =>
	who === undefined || own.size === 0 || own.has(who) ? 'you' : who;

export function requesterText(move: OperationMove, own: OwnEmails): string {
	const person = personBehind(move, own);
	return person === 'you' && move.isElsewhere ? 'you on another machine' : person;
}

/** Changes of one subject follow one another. */
export function subjectOf(change: Change): string {
	switch (change.type) {
		case 'statusChanged':
			return `computer ${change.id}`;
		case 'operationMoved':
			return `operation ${change.wish.key}`;
		case 'accountNoted':
			return change.event.startsWith('account') ? 'account' : 'credits';
		case 'hookFailed':
			return `hook ${change.hook}`;
		default:
			return change.type;
	}
}

export function stateOf(change: Change): string | number | null {
	switch (change.type) {
		case 'accountNoted':
			return change.event;
		case 'hookFailed':
			return change.message;
		default:
			return change.to;
	}
}

export function computerIdOf(change: Change): string | undefined {
	if (change.type === 'statusChanged') return change.id;
	return change.type === 'operationMoved' ? change.wish.computer : undefined;
}
