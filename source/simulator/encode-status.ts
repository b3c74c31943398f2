import type { Computer } from './computer.ts';
import { addressOf, statusWordOf } from './encode-computer.ts';
import type { AnswerContext } from './endpoint.ts';
import { stageReportOf } from './provisioning.ts';

/** Returns the body of a status answer, which has no envelope in the platform's document. */
export function statusBody(context: AnswerContext, computer: Computer): object {
	const status = statusWordOf(computer, context.shapes);
	if (context.shapes.status === 'minimal') return { status };
	if (context.shapes.status === 'nulls') return { status, ...emptyDetails, error: computer.error };

	const { stage, progress, message, stages } = stageReportOf(
		computer,
		context.now,
		context.shapes.stages,
	);
	const documented = {
		status,
		stage,
		stageProgress: progress,
		stageMessage: stageMessageOf(context, computer) ?? message,
		...(computer.state === 'active' && { version: computer.version }),
		...(computer.error !== null && { error: computer.error }),
	};
	if (context.shapes.status === 'documented') return documented;
	return {
		...documented,
		machineInfo: machineInfoOf(context, computer),
		stages,
		error: computer.error,
		startedAt: computer.startedAt === null ? null : new Date(computer.startedAt).toISOString(),
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

function machineInfoOf({ world }: AnswerContext, computer: Computer) {
	if (computer.state === 'provisioning') return null;
	return {
		ip: addressOf(computer),
		serverType: world.terms.serverType,
		location: computer.location,
	};
}

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
