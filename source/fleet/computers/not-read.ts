import {
	type Phase,
	type Reading,
	type ReadingField,
	readingFields,
	readingRows,
} from './computer.ts';

export const fieldsToldBy = (read: 'status' | 'detail', phase: Phase): readonly ReadingField[] =>
	readingFields.filter(field => {
		const { toldBy } = readingRows[field];
		return toldBy?.read === read && toldBy.isIn(phase);
	});

type KnownComputer = { reading: Reading; phase: Phase };

/** A field that the list has for other computers was read with it, except what only the status promises. */
export function isNotRead(
	field: ReadingField,
	{ reading, phase }: KnownComputer,
	listFields: ReadonlySet<ReadingField>,
): boolean {
	const { toldBy } = readingRows[field];
	if (!toldBy || reading[field] !== undefined || !toldBy.isIn(phase)) return false;
	return toldBy.read === 'status' || !listFields.has(field);
}

export const fieldsNotRead = (
	computer: KnownComputer,
	listFields: ReadonlySet<ReadingField>,
): readonly ReadingField[] => readingFields.filter(field => isNotRead(field, computer, listFields));

const noFields: ReadonlySet<ReadingField> = new Set();

export const isVersionNotRead = (computer: KnownComputer): boolean =>
	isNotRead('version', computer, noFields);

export const isErrorNotRead = (computer: KnownComputer): boolean =>
	isNotRead('error', computer, noFields);
