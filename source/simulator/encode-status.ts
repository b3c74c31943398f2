import type { Computer } from './computer.ts';
import { addressOf, statusWord } from './encode-computer.ts';
import type { AnswerContext } from './endpoint.ts';
import { stageOf } from './provisioning.ts';

/** Returns the body of a status answer. The platform's document shows it without an envelope. */
export function statusBody(view: AnswerContext, computer: Computer): object {
	const status = statusWord(computer, view.shapes);
	if (view.shapes.status === 'minimal') return { status };
	if (view.shapes.status === 'nulls') return { status, ...nothing, error: computer.error };

	const { stage, progress, message, stages } = stageOf(computer, view.now, view.shapes.stages);
	const documented = {
		status,
		stage,
		stageProgress: progress,
		stageMessage: messageOf(view, computer) ?? message,
		...(computer.state === 'active' && { version: computer.version }),
		...(computer.error !== null && { error: computer.error }),
	};
	if (view.shapes.status === 'documented') return documented;
	return {
		...documented,
		machineInfo: machineOf(view, computer),
		stages,
		error: computer.error,
		startedAt: computer.startedAt === null ? null : new Date(computer.startedAt).toISOString(),
	};
}

const nothing = {
	stage: null,
	stageProgress: null,
	stageMessage: null,
	machineInfo: null,
	stages: null,
	startedAt: null,
};

function machineOf({ world }: AnswerContext, computer: Computer) {
	if (computer.state === 'provisioning') return null;
	return {
		ip: addressOf(computer),
		serverType: world.terms.serverType,
		location: computer.location,
	};
}

function messageOf(
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
