import type { computerFields, RecordOf } from '../shell/json-fields.ts';
import type { ComputerState } from '../store/state.ts';

/** A computer for other programs. */
export function computerRecord(
	{ id, reading, phase }: ComputerState,
	publicAddress: (id: string, port: number) => string,
) {
	return {
		id,
		name: reading.name ?? null,
		status: reading.status ?? null,
		phase,
		version: reading.version ?? null,
		address: reading.address ?? null,
		cpu: reading.cpu ?? null,
		memory: reading.memory ?? null,
		storage: reading.storage ?? null,
		startedAt: isoTime(reading.startedAt),
		createdAt: isoTime(reading.createdAt),
		ports:
			reading.ports?.map(({ port, url }) => ({ port, url: url ?? publicAddress(id, port) })) ??
			null,
		error: reading.error ?? null,
		stage: reading.stage ?? null,
		stageProgress: reading.stageProgress ?? null,
	} satisfies RecordOf<typeof computerFields>;
}

/** A year that no calendar has is no time. */
export function isoTime(at: number | null | undefined): string | null {
	if (typeof at !== 'number' || Math.abs(at) > 8.64e15) return null;
	return new Date(at).toISOString();
}
