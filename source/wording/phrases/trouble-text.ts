import type { Span } from '../../drawing/span.ts';
import type { ReadName } from '../../fleet/fact.ts';
import { durationText } from '../../foundation/duration.ts';
import type { Failure, FailureKind } from '../../foundation/failure.ts';
import type { FailingRead } from '../../store/freshness.ts';
import type { FailureStreak } from '../../store/state.ts';
import { failureLabels } from './failure-labels.ts';
import { spokenDuration, type Words } from './words.ts';

const readSubjects: Readonly<Record<ReadName, string>> = {
	list: 'the list of computers',
	status: 'the status of computers',
	detail: 'the records of computers',
	credits: 'the credits',
	subscription: 'the plan',
	release: 'the latest version',
	models: 'the list of models',
};

/** The text that stands in the place of data until its first read is answered. */
export const readingText = (read: ReadName) => `Reading ${readSubjects[read]}`;

/** The beginning of every message about a read that failed, such as "Cannot read the credits". */
export const cannotReadText = (read: ReadName) => `Cannot read ${readSubjects[read]}`;

export const cannotReadRecordText = (computer: string) => `Cannot read the record of ${computer}`;

/** A read that fails. */
type Trouble = {
	read: ReadName;
	failure: Failure;
	/** Whether the platform still answers other reads; absent if this is not known. */
	isOnlyThisRead?: boolean;
	/** The milliseconds until the read is sent again, if that is known. */
	retryMs?: number | undefined;
};

export function troubleOf({ read, streak, isOnlyThisRead, retryAt = 0 }: FailingRead, now: number) {
	return { read, failure: streak.failure, isOnlyThisRead, retryMs: retryAt - now };
}

export function troubleWords(trouble: Trouble): Words {
	const { read, failure, isOnlyThisRead = true, retryMs = 0 } = trouble;
	const { kind, message } = failure;
	const line = `${isOnlyThisRead ? cannotReadText(read) : 'Cannot read from the platform'}: ${message}`;
	const nextTry =
		retryMs > 0 && kind !== 'auth' ? `Next try in ${spokenDuration(retryMs)}.` : retriesText(kind);
	const speech = [`${line}.`, troubleAdvice(trouble), nextTry]
		.filter(text => text !== '')
		.join(' ');
	return { screen: troubleLabelOf(read, kind, isOnlyThisRead), line, speech, json: kind };
}

// A rate limit and a failed sign-in always affect all reads.
function troubleLabelOf(read: ReadName, kind: FailureKind, isOnlyThisRead: boolean): string {
	if (!isOnlyThisRead || kind === 'limited' || kind === 'auth') return failureLabels[kind];
	return `${read}: ${kind === 'offline' ? 'no answer' : failureLabels[kind]}`;
}

/** Says what to do. While other reads are answered, it would be wrong to advise a check of the network. */
function troubleAdvice({ failure: { kind, advice }, isOnlyThisRead = false }: Trouble): string {
	return isOnlyThisRead && kind === 'offline'
		? 'The platform answers everything else. Run `crowsnest doctor` for details.'
		: advice;
}

/** A refused sign-in is not tried again until a person acts. The advice already says how. */
const retriesText = (kind: FailureKind) => (kind === 'auth' ? '' : 'crowsnest keeps trying.');

/** Says why the data of a view or of the table cannot be read, and what to do. */
export function troubleLines(trouble: Trouble, indent = ' '): readonly (readonly Span[])[] {
	return [
		[[`${indent}${troubleWords(trouble).line}`, 'bad']],
		...[troubleAdvice(trouble), retriesText(trouble.failure.kind)]
			.filter(text => text !== '')
			.map((text): readonly Span[] => [[`${indent}${text}`, 'faint']]),
	];
}

export function failingReadLines(read: ReadName, failing: FailureStreak | undefined) {
	return failing ? troubleLines({ read, failure: failing.failure }) : [];
}

export const readAgainText = (read: ReadName) => `${readingText(read)} works again`;

/** Says that a read works again, as the counterpart of `troubleWords`. Speech does not name the read. */
export function recoveryWords(read: ReadName, lastedMs: number): Omit<Words, 'screen' | 'json'> {
	return {
		line: `${readAgainText(read)}, after ${durationText(lastedMs)}`,
		speech: `Reading from the platform works again, after ${spokenDuration(lastedMs)}.`,
	};
}
