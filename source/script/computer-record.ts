import { omittedPortCount, type ReadingField } from '../fleet/computers/computer.ts';
import type { JsonFields, JsonRecord } from '../shell/command.ts';
import type { ComputerState } from '../store/state.ts';

type OmittedField = 'stageMessage' | 'provider' | 'location' | 'serverType' | 'updatedAt';

export const computerFields = {
	id: 'permanent id',
	name: 'name that its owner gave it',
	status: "status in the platform's own words",
	phase:
		'meaning of the status: creating, active, stopped, error, stopping, starting, restarting, ' +
		'updating, archived, pooled or unknown',
	version: 'version of its image',
	address: "address within the platform's network",
	cpu: 'percent of its CPU in use',
	memory: 'percent of its memory in use',
	storage: 'percent of its storage in use',
	startedAt: 'time of its last start',
	createdAt: 'time of its creation',
	ports: 'published ports, each with port and url',
	portCount: 'number of published ports, which may be more than ports contains',
	error: 'reason for its error, if any',
	stage: 'stage of its creation',
	stageProgress: 'progress of that stage, from 0 to 100',
} as const satisfies JsonFields & Record<Exclude<ReadingField, OmittedField>, string>;

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
		portCount: reading.ports ? reading.ports.length + omittedPortCount(reading) : null,
		error: reading.error ?? null,
		stage: reading.stage ?? null,
		stageProgress: reading.stageProgress ?? null,
	} satisfies JsonRecord<typeof computerFields>;
}

/** Formats a time in ISO 8601. Returns null if the time is missing or outside the range of valid dates. */
export function isoTime(at: number | null | undefined): string | null {
	if (typeof at !== 'number' || Math.abs(at) > 8.64e15) return null;
	return new Date(at).toISOString();
}
