import type { Target } from './rule.ts';

/**
 * What a question wants, one thing after the other. The last one is always a `yes`, a `typed` or a
 * `port`: nothing is confirmed by Enter alone.
 */
export type Step = { prompt: string } & (
	| { kind: 'yes'; key: string }
	/** The whole text, and then Enter. */
	| { kind: 'typed'; expected: string }
	/** A number from 1 to 65535, and then Enter; one of `among` where that is known. */
	| { kind: 'port'; among?: readonly number[]; notAmong?: readonly number[] }
	/** What may be told of a new computer, and then Enter. */
	| { kind: 'text'; field: 'name' | 'provider'; initial: string }
);

const longest = 100;

/** Why that is no answer to the step; undefined when it is one. */
export function problemWith(step: Step, answer: string): string | undefined {
	switch (step.kind) {
		case 'yes':
			return answer === step.key ? undefined : `only ${step.key} confirms it`;
		case 'typed':
			return answer === step.expected ? undefined : `that is not ${step.expected}`;
		case 'port':
			return problemWithPort(step, portFrom(answer));
		case 'text':
			if (step.field === 'provider' && answer.trim() === '') return 'a provider is needed';
			return answer.trim().length > longest ? `at most ${longest} letters` : undefined;
	}
}

function problemWithPort(
	{ among, notAmong }: Extract<Step, { kind: 'port' }>,
	port: number | undefined,
): string | undefined {
	if (port === undefined) return 'a port is a number from 1 to 65535';
	if (notAmong?.includes(port)) return `port ${port} is published already`;
	return among && !among.includes(port) ? `port ${port} is not published` : undefined;
}

export function portFrom(text: string): number | undefined {
	const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
	return port >= 1 && port <= 65_535 ? port : undefined;
}

/** The ports that all steps must agree with, where a single computer tells them. */
export function portStep(operation: 'publish' | 'unpublish', targets: readonly Target[]): Step {
	const ports = targets.length === 1 ? targets[0]?.ports : undefined;
	if (operation === 'publish') {
		return { kind: 'port', prompt: 'Port, 1 to 65535:', ...(ports && { notAmong: ports }) };
	}
	return { kind: 'port', prompt: 'Port to unpublish:', ...(ports && { among: ports }) };
}
