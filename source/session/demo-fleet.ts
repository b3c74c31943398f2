import type { Reading } from '../fleet/computers/computer.ts';
import { factTable, type RestoredComputer } from '../fleet/fact.ts';
import * as v from '../foundation/schema.ts';
import { validatorOf } from '../foundation/validate.ts';
import type { Computer } from '../simulator/world/computer.ts';
import type { World } from '../simulator/world/world.ts';

const fleetSchema = v.object({
	type: v.oneOf(['fleet']),
	computers: factTable.fleetRecalled.computers,
});

/** The fleet as a monitor of an earlier run would have saved it. */
export type DemoFleet = v.ValueOf<typeof fleetSchema>;

/** Whether a message of the demo is such a fleet. */
export const { isValid: isFleet } = validatorOf(fleetSchema);

/** Returns a simulated computer as a read would report it. */
export const readingOf = ({
	id,
	name,
	state,
	version,
	createdAt,
	startedAt,
	error,
}: Computer): Reading => ({
	id,
	name,
	status: state,
	version,
	createdAt,
	startedAt,
	...(error !== null && { error }),
});

export function restoredFrom(computer: Computer, seenAt: number): RestoredComputer {
	return {
		reading: readingOf(computer),
		seenAt,
		since: { at: computer.stateSince, isLowerBound: false },
		...(computer.stoppedBy === 'idleness' && { stopReason: 'asleep' as const }),
	};
}

/** Returns the present fleet of a world; undefined if the world has no past. */
export function fleetOfWorld(world: World): DemoFleet | undefined {
	if (!world.past()) return undefined;
	const now = world.now();
	return {
		type: 'fleet',
		computers: world.computers().map(each => restoredFrom(each, each.unreachableSince ?? now)),
	};
}
