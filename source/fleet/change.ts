import type { OperationSpec, OperationStage } from './operation.ts';
import type { StopReason } from './stop-reason.ts';

/** A change that was noticed at `at`. It happened after `notBefore`, when the old value was last seen. */
type NoticedBetween = { at: number; notBefore: number };

/**
 * A change from one status word of the platform to another. `from` is null for a new computer, and `to` is null
 * for a removed computer.
 */
export type StatusChange = NoticedBetween & {
	type: 'statusChanged';
	id: string;
	name?: string;
	from: string | null;
	to: string | null;
	/** How long the old status lasted, in milliseconds; absent if its beginning was not seen. */
	lasted?: number;
	reason?: StopReason;
};

export type OperationMove = {
	type: 'operationMoved';
	at: number;
	wish: OperationSpec;
	to: Exclude<OperationStage, 'asked' | 'accepted'> | 'settled' | 'cancelled';
	/** The milliseconds between asking for the operation and this change. */
	took: number;
	/** The e-mail address of the signed-in user. */
	who?: string;
	/** Why the operation failed, or why its outcome is unknown. */
	message?: string;
};

type TopUp = NoticedBetween & { type: 'toppedUp'; from: number; to: number };

type NewRelease = NoticedBetween & { type: 'released'; from: string; to: string };

/** One line of the log: something that happened to the fleet or its account. */
export type Change = StatusChange | OperationMove | TopUp | NewRelease;

/**
 * Merges two lists of changes in order of time. If two processes noticed the same change, their spans between
 * `notBefore` and `at` overlap, and the change is kept once.
 */
export function mergeChanges(
	changes: readonly Change[],
	otherChanges: readonly Change[],
): readonly Change[] {
	const merged: Change[] = [];
	const indexBySubject = new Map<string, number>();
	for (const change of [...changes, ...otherChanges].sort((a, b) => a.at - b.at)) {
		const subject = subjectKeyOf(change);
		const index = indexBySubject.get(subject);
		const earlier = index === undefined ? undefined : merged[index];
		const combined = earlier && mergedChange(earlier, change);
		if (combined && index !== undefined) {
			merged[index] = combined;
			continue;
		}
		indexBySubject.set(subject, merged.length);
		merged.push(change);
	}
	return merged;
}

function subjectKeyOf(change: Change): string {
	switch (change.type) {
		case 'statusChanged':
			return JSON.stringify([change.type, change.id, change.from, change.to]);
		case 'operationMoved':
			return JSON.stringify([change.type, change.wish.key, change.to, change.at]);
		case 'released':
			return JSON.stringify([change.type, change.to]);
		case 'toppedUp':
			return change.type;
	}
}

// Merges two records of the same change, with the more precise value of each field. Returns undefined if the
// records describe different changes.
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
		notBefore,
		...(moreInformed.reason && { reason: moreInformed.reason }),
	};
}

/** The id of the computer that the change is about; undefined for a change of the account. */
export function computerIdOf(change: Change): string | undefined {
	if (change.type === 'statusChanged') return change.id;
	return change.type === 'operationMoved' ? change.wish.computer : undefined;
}
