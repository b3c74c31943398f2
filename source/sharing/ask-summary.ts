import { fleetSummarySchema } from '../fleet/fleet-summary.ts';
import type { Clock } from '../foundation/clock.ts';
import * as v from '../foundation/schema.ts';
import { validatorOf } from '../foundation/validate.ts';
import { askLeader } from './ask-leader.ts';

/** The fields of the message with which a leader answers `askSummary`. */
export const summaryFields = { pid: v.count, summary: fleetSummarySchema };

const { isValid } = validatorOf(v.object({ type: v.oneOf(['summary']), ...summaryFields }));

// A shell prompt waits for the answer.
const maxAnswerMs = 200;

const maxLineLength = 10_000;

/** Asks the process that polls an account for its pid and a summary of the fleet; undefined if no process answers. */
export function askSummary(path: string, clock: Clock) {
	return askLeader({
		path,
		clock,
		maxLineLength,
		maxAnswerMs,
		message: { type: 'askSummary' },
		onMessage: message => (isValid(message) ? message : undefined),
	});
}
