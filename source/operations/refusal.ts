import type { OperationSpec } from '../fleet/operation.ts';
import type { Skipped } from './operation-row.ts';
import type { Question } from './question.ts';

/** Why something that was asked for is not done. */
export type Refusal = {
	why:
		| 'read-only'
		| 'locked'
		/** The program is ending. */
		| 'closing'
		/** None of the computers takes it; `skipped` says why of each. */
		| 'not-allowed'
		/** That question is not the open one, or not answered as it wants to be. */
		| 'no-answer';
	message: string;
	skipped: readonly Skipped[];
};

/** What comes of asking: mostly a question. */
export type AskResult =
	| { type: 'question'; question: Question }
	| { type: 'begun'; wishes: readonly OperationSpec[] }
	| { type: 'refused'; refusal: Refusal };

export type AnswerResult = Exclude<AskResult, { type: 'question' }>;

/** What a key did to the open question. */
export type KeyResult =
	| AskResult
	| { type: 'cancelled' }
	/** Its command is to be copied; the question stays open. */
	| { type: 'copy'; question: Question }
	/** There is no question. */
	| { type: 'none' };

export function refused(
	why: Refusal['why'],
	message: string,
	skipped: readonly Skipped[] = [],
): Extract<AskResult, { type: 'refused' }> {
	return { type: 'refused', refusal: { why, message, skipped } };
}

/** Whether anything may be changed at all. */
export type ChangePolicy = {
	/** What waits to be sent may go, has to wait, or never goes. */
	mayChange(): 'go' | 'hold' | 'drop';
	/** Why nothing may even be asked for. */
	refusal(): Pick<Refusal, 'why' | 'message'> | undefined;
};

type Parts = {
	/** The end of the program. */
	signal: AbortSignal;
	isReadOnly: () => boolean;
	isLocked: () => boolean;
	/** Nothing is sent while a person is asked whether to quit. */
	isQueueHeld: () => boolean;
};

export function createChangePolicy(parts: Parts): ChangePolicy {
	const { signal, isReadOnly, isLocked, isQueueHeld } = parts;
	return {
		mayChange() {
			if (signal.aborted || isReadOnly()) return 'drop';
			return isLocked() || isQueueHeld() ? 'hold' : 'go';
		},
		refusal() {
			if (signal.aborted) return { why: 'closing', message: 'crowsnest is quitting' };
			if (isReadOnly())
				return { why: 'read-only', message: 'Read-only: nothing can be changed here' };
			return isLocked() ? { why: 'locked', message: 'Locked: unlock first' } : undefined;
		},
	};
}

/** "atlas and 3 more: already on the latest version, 1.4.2; draco: in error" */
export function skippedText(skipped: readonly Skipped[]): string {
	return groupsOf(skipped)
		.map(([reason, [first = '', ...others]]) => {
			const more = others.length > 0 ? ` and ${others.length} more` : '';
			return `${first}${more}: ${reason}`;
		})
		.join('; ');
}

const groupsAtMost = 3;
const namedAtMost = 3;

/** A line for each reason, whatever number of computers it is the reason for. */
export function skippedLines(skipped: readonly Skipped[]): readonly string[] {
	const groups = groupsOf(skipped);
	const told = groups.slice(0, groupsAtMost);
	const untold = groups.slice(groupsAtMost).reduce((sum, [, names]) => sum + names.length, 0);
	const lines = told.map(groupText);
	return untold > 0 ? [...lines, `… and ${untold} more for other reasons`] : lines;
}

function groupText([reason, names]: readonly [string, readonly string[]]): string {
	if (names.length === 1) return `Skipped ${names[0]}: ${reason}`;
	const more = names.length - namedAtMost;
	const who = names.slice(0, namedAtMost).join(', ') + (more > 0 ? ` and ${more} more` : '');
	return `Skipped ${names.length} (${reason}): ${who}`;
}

function groupsOf(skipped: readonly Skipped[]) {
	const groups = new Map<string, string[]>();
	for (const { name, reason } of skipped) {
		const names = groups.get(reason);
		if (names) names.push(name);
		else groups.set(reason, [name]);
	}
	return [...groups];
}
