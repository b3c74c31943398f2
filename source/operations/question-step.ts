import type { OperationId } from '../fleet/operations/operation.ts';
import type { Target } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';

/**
 * One thing that a question asks for. The last step is always `yes`, `typed` or `port`, so that Enter alone
 * never confirms.
 */
export type Step = {
	prompt: string;
} /** The person answers y, or in the monitor presses the key that says yes. */ & (
	| { kind: 'yes' }
	/** The person types the expected text, then Enter. */
	| { kind: 'typed'; expectedText: string }
	/** The person types a port, then Enter: one of `among` and none of `notAmong`, if these are set. */
	| {
			kind: 'port';
			allowedPorts?: readonly number[] | undefined;
			takenPorts?: readonly number[] | undefined;
	  }
	/** The person types a value for the new computer, then Enter. */
	| { kind: 'text'; field: 'name' | 'provider'; initialText: string }
);

/** The answer that confirms a step of the kind `yes`. */
export const yesAnswer = 'y';

const maxTextLength = 100;

/** Returns the reason why a step refuses an answer; undefined if it accepts the answer. */
export function problemWithAnswer(step: Step, answer: string): string | undefined {
	switch (step.kind) {
		case 'yes':
			return answer === yesAnswer ? undefined : `Only ${yesAnswer} confirms.`;
		case 'typed':
			return answer === step.expectedText ? undefined : `That is not ${step.expectedText}.`;
		case 'port':
			return problemWithPort(step, portFrom(answer));
		case 'text':
			if (step.field === 'provider' && answer.trim() === '') return 'Enter a provider.';
			return answer.trim().length > maxTextLength
				? `At most ${maxTextLength} characters.`
				: undefined;
	}
}

function problemWithPort(
	{ allowedPorts, takenPorts }: Extract<Step, { kind: 'port' }>,
	port: number | undefined,
): string | undefined {
	if (port === undefined) return 'A port is a number from 1 to 65535.';
	if (takenPorts?.includes(port)) return `Port ${port} is already published.`;
	return allowedPorts && !allowedPorts.includes(port)
		? `Port ${port} is not published.`
		: undefined;
}

export function portFrom(text: string): number | undefined {
	const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
	return port >= 1 && port <= 65_535 ? port : undefined;
}

/**
 * Builds the step that asks for a port. If a single computer's published ports are known, they limit the
 * answers.
 */
export function buildPortStep(operation: OperationId, targets: readonly Target[]): Step {
	const ports = targets.length === 1 ? targets[0]?.ports : undefined;
	if (operationRowOf(operation).goal.reaches === 'published') {
		return { kind: 'port', prompt: 'Port, 1 to 65535:', takenPorts: ports };
	}
	return { kind: 'port', prompt: 'Port to unpublish:', allowedPorts: ports };
}
