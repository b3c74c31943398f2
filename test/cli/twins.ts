import { expect } from 'vitest';
import {
	createSeveralAccountsHost,
	type HeldSimulator,
	type ProfileOnSimulator,
	startSimulator,
} from './host.ts';

/** The computers of both platforms. */
export const twinNames = ['atlas', 'borealis', 'cygnus'];

/** Starts two platforms whose computers have the same ids and names, and creates a host with a profile for each. */
export async function startTwins(
	options: Parameters<typeof createSeveralAccountsHost>[1] & {
		lines?: Readonly<Record<string, readonly string[]>>;
	} = {},
) {
	const { lines = {}, ...others } = options;
	const work = await startSimulator();
	const lab = await startSimulator({ clock: work.clock });
	const profile = (name: string, simulator: HeldSimulator): ProfileOnSimulator => ({
		simulator,
		lines: lines[name] ?? [],
	});
	const profiles = { work: profile('work', work), lab: profile('lab', lab) };
	const host = await createSeveralAccountsHost(profiles, others);
	const ids = (simulator: HeldSimulator) => twinNames.map(name => simulator.world.get(name).id);
	expect(ids(lab)).toEqual(ids(work));
	return { work, lab, host };
}
