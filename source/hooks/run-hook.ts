import type { Hook } from '../accounts/hook-settings.ts';
import type { Environment } from '../foundation/children.ts';
import { type ChildEffects, type ChildResult, runChild } from '../foundation/children.ts';
import { durationText } from '../foundation/duration.ts';
import { eventRecord, eventVariables, type HookEvent } from './hook-event.ts';

/** Runs a hook once, and returns what went wrong; undefined if nothing did. */
export async function runHook(
	{ command, timeoutMs }: Hook,
	event: HookEvent,
	environment: Environment,
	effects: ChildEffects & { signal: AbortSignal },
): Promise<HookFailure | undefined> {
	const { signal, ...others } = effects;
	const result = await runChild(
		{
			command,
			environment,
			timeoutMs,
			signal,
			variables: eventVariables(event),
			input: `${JSON.stringify(eventRecord(event))}\n`,
		},
		others,
	);
	return failureOf(result);
}

/** Why a run failed. Failures of one kind are reported once. */
export type HookFailure = { kind: string; text: string };

function failureOf({ ending, stderr }: ChildResult): HookFailure | undefined {
	const lastLine = stderr.trimEnd().split('\n').at(-1)?.trim() ?? '';
	const quoted = lastLine === '' ? '' : `: ${lastLine.slice(0, 200)}`;
	switch (ending.kind) {
		case 'exited': {
			const { code } = ending;
			return code === 0
				? undefined
				: { kind: `code ${code}`, text: `ended with code ${code}${quoted}` };
		}
		case 'killed':
			return { kind: ending.signal, text: `was ended by ${ending.signal}${quoted}` };
		case 'notStarted':
			return { kind: ending.reason, text: `was not started: ${ending.reason}` };
		case 'timedOut': {
			const limit = durationText(ending.timeoutMs);
			return { kind: 'timeout', text: `took longer than ${limit} and was ended${quoted}` };
		}
		case 'aborted':
			return undefined;
	}
}
