import type { Phase, Reading, ReadingField } from './computer.ts';

type Row = {
	/** The read that tells the value of one computer, where the list does not. */
	read: 'status' | 'detail';
	/** Whether a computer in this phase may have a value. */
	isIn: (phase: Phase) => boolean;
};

const isActive = (phase: Phase) => phase === 'active';
const isPlaced = (phase: Phase) => !['creating', 'archived', 'error'].includes(phase);

/** The fields that a computer may have, although the list does not say so. */
const table = {
	error: { read: 'status', isIn: phase => phase === 'error' },
	version: { read: 'status', isIn: phase => phase !== 'creating' && phase !== 'archived' },
	address: { read: 'detail', isIn: isPlaced },
	location: { read: 'detail', isIn: isPlaced },
	storage: { read: 'detail', isIn: isPlaced },
	ports: { read: 'detail', isIn: isActive },
	cpu: { read: 'detail', isIn: isActive },
	memory: { read: 'detail', isIn: isActive },
} as const satisfies Partial<Record<ReadingField, Row>>;

export type FieldWithOwnRead = keyof typeof table;

const fields = Object.keys(table) as readonly FieldWithOwnRead[];

/** Returns the fields that the answer to a status or detail read of a computer in this phase should have. */
export function fieldsToldBy(read: Row['read'], phase: Phase): readonly FieldWithOwnRead[] {
	return fields.filter(field => table[field].read === read && table[field].isIn(phase));
}

/**
 * Whether a computer may have a value that nobody has read yet. A field that the list has for other computers was read with
 * it, except the version and the reason of an error, which only the status promises.
 */
export function isNotRead(
	field: FieldWithOwnRead,
	{ reading, phase }: { reading: Reading; phase: Phase },
	listFields: ReadonlySet<keyof Reading>,
): boolean {
	const { read, isIn }: Row = table[field];
	return (
		reading[field] === undefined && isIn(phase) && (read === 'status' || !listFields.has(field))
	);
}

/** Returns the fields of a computer that may have a value that nobody has read yet. */
export const fieldsNotRead = (
	computer: { reading: Reading; phase: Phase },
	listFields: ReadonlySet<keyof Reading>,
): readonly FieldWithOwnRead[] => fields.filter(field => isNotRead(field, computer, listFields));

const noFields: ReadonlySet<ReadingField> = new Set();

/** Whether a computer of the fleet has a version that nobody has read yet. */
export const isVersionNotRead = (computer: { reading: Reading; phase: Phase }): boolean =>
	isNotRead('version', computer, noFields);

/** Whether a computer is in error for a reason that nobody has read yet. */
export const isErrorNotRead = (computer: { reading: Reading; phase: Phase }): boolean =>
	isNotRead('error', computer, noFields);
