import type { Computer } from './computer.ts';
import { valuesOf } from './encode-computer.ts';
import type { AnswerContext } from './endpoint.ts';
import { stagesOf } from './provisioning.ts';

/** Returns the body of a status answer, which has no envelope in the platform's document. */
export function statusBody(context: AnswerContext, computer: Computer): object {
	const { status, stage, stageProgress, stageMessage, version, error, startedAt, ...values } =
		valuesOf(context, computer);
	if (context.shapes.status === 'minimal') return { status };
	if (context.shapes.status === 'nulls') return { status, ...emptyDetails, error };

	const documented = {
		status,
		stage,
		stageProgress,
		stageMessage: stageMessageOf(context, computer) ?? stageMessage,
		...(computer.state === 'active' && { version }),
		...(error !== null && { error }),
	};
	if (context.shapes.status === 'documented') return documented;
	const { address: ip, serverType, location } = values;
	const isPlaced = computer.state !== 'provisioning';
	return {
		...documented,
		machineInfo: isPlaced ? { ip, serverType, location } : null,
		stages: stagesOf(computer, context.now, context.shapes.stages),
		error,
		startedAt,
	};
}

const emptyDetails = {
	stage: null,
	stageProgress: null,
	stageMessage: null,
	machineInfo: null,
	stages: null,
	startedAt: null,
};

function stageMessageOf(
	{ world }: AnswerContext,
	{ state, stoppedBy, targetVersion: target }: Computer,
): string | undefined {
	switch (state) {
		case 'stopped':
			if (stoppedBy === 'credits') return 'Stopped: no credits are left';
			if (stoppedBy === 'owner') return 'Stopped by its owner';
			return `Asleep after ${world.terms.idleMinutes} minutes without activity`;
		case 'stopping':
			return 'Releasing resources';
		case 'starting':
			return 'Resuming';
		case 'restarting':
			return 'Restarting the container';
		case 'updating':
			return `Updating to version ${target}`;
		default:
			return undefined;
	}
}

export function missingStatusBody(): object {
	return { status: 'not_found', error: 'This computer does not exist' };
}
