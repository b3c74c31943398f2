import type { Reading } from '../../../source/fleet/computers/computer.ts';

/** The fields of a computer of which nothing has to be read beside the list. */
export const fullRecord = {
	version: '1.4.2',
	error: null,
	address: null,
	location: null,
	storage: null,
	ports: null,
	cpu: null,
	memory: null,
} as const satisfies Partial<Reading>;
