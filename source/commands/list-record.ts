import type { ComputerState } from '../store/state.ts';

/** A computer for other programs. These names stay; what nobody told is null. */
export function recordFrom(
	{ id, reading, phase }: ComputerState,
	publicAddress: (id: string, port: number) => string,
) {
	return {
		id,
		name: reading.name ?? null,
		/** In the platform's own word, and what that means. */
		status: reading.status ?? null,
		phase,
		version: reading.version ?? null,
		address: reading.address ?? null,
		cpu: reading.cpu ?? null,
		memory: reading.memory ?? null,
		storage: reading.storage ?? null,
		startedAt: timeFrom(reading.startedAt),
		createdAt: timeFrom(reading.createdAt),
		ports:
			reading.ports?.map(({ port, url }) => ({ port, url: url ?? publicAddress(id, port) })) ??
			null,
		error: reading.error ?? null,
		stage: reading.stage ?? null,
		stageProgress: reading.stageProgress ?? null,
	};
}

// A year that no calendar has is no time.
function timeFrom(at: number | null | undefined): string | null {
	if (typeof at !== 'number' || Math.abs(at) > 8.64e15) return null;
	return new Date(at).toISOString();
}
