import { phaseOf, type Reading } from '../fleet/computers/computer.ts';
import { isFirstCreationStage } from '../fleet/computers/creation-stages.ts';
import type { ComputerState } from './state.ts';

/**
 * Returns when the current stage of a computer began, at the first read of the computer. The time is known only for
 * the first stage, which begins with the creation.
 */
export function firstStageStarts(
	{ status, stage, createdAt }: Reading,
	{ at, isLowerBound }: ComputerState['since'],
): Pick<ComputerState, 'stageStarts'> {
	if (!stage || phaseOf(status) !== 'creating' || !isFirstCreationStage(stage)) return {};
	if (typeof createdAt === 'number') return { stageStarts: { [stage]: Math.min(createdAt, at) } };
	return isLowerBound ? {} : { stageStarts: { [stage]: at } };
}

/**
 * Returns the computer with the time at which its stage began. The time is known only if the answer before the change
 * was recent. A computer has stages only while it is being created.
 */
export function withStageStarts(
	{ reading: { stage: stageBefore } }: ComputerState,
	next: ComputerState,
	at: number,
	isExact: boolean,
): ComputerState {
	const { stage } = next.reading;
	if (next.phase !== 'creating') return next.stageStarts ? withoutStageStarts(next) : next;
	if (!stage || stage === stageBefore || !isExact) return next;
	return { ...next, stageStarts: { ...next.stageStarts, [stage]: at } };
}

function withoutStageStarts({ stageStarts: _, ...rest }: ComputerState): ComputerState {
	return rest;
}
