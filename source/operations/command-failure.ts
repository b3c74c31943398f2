import type { ChildResult } from '../children/run-child.ts';
import { durationText } from '../foundation/duration.ts';
import type { Failure } from '../foundation/failure.ts';
import { cleanText } from '../platform/decoding/clean.ts';
import { createFailure } from '../platform/decoding/platform-error.ts';

/** Returns what went wrong with a command, such as `ended with code 255`; undefined if the command succeeded. */
export function commandProblemText(
	{ ending }: ChildResult,
	isClosing: boolean,
): string | undefined {
	switch (ending.kind) {
		case 'exited':
			return ending.code === 0 ? undefined : `ended with code ${ending.code}`;
		case 'killed':
			return `ended by ${ending.signal}`;
		case 'notStarted':
			return `did not start: ${ending.reason}`;
		case 'timedOut':
			return `took more than ${durationText(ending.timeoutMs)} and was ended`;
		case 'aborted':
			return isClosing ? 'was ended, because crowsnest was closed' : 'was ended by you';
	}
}

/** Returns the failure of a command, with the last line of its stderr; undefined if it ended without an error. */
export function failureOfChild(result: ChildResult, isClosing: boolean): Failure | undefined {
	const problem = commandProblemText(result, isClosing);
	if (problem === undefined) return undefined;
	const lastLine = cleanText(result.stderr.trimEnd().split('\n').at(-1) ?? '', maxQuotedLength);
	const { kind } = result.ending;
	return createFailure('invalid', lastLine === '' ? problem : `${problem}: ${lastLine}`, {
		advice:
			kind === 'notStarted'
				? 'Correct the command in the configuration.'
				: 'The exit code and the message come from the command itself.',
		// The outcome of a command that a signal ended is unknown, because it may have done a part of its work.
		isOutcomeUnknown: kind === 'aborted' && isClosing,
	});
}

const maxQuotedLength = 200;
