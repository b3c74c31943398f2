import type { Model } from '../fleet/account.ts';

/** What models can be ordered by: the columns of their table, from left to right. */
export const modelFields = ['id', 'owner', 'contextWindow', 'inputPrice', 'outputPrice'] as const;

export type ModelField = (typeof modelFields)[number];

export type ModelOrdering = { by: ModelField; isReversed: boolean };

export type ModelColumn = {
	field: ModelField;
	title: string;
	least: number;
	leaves: number;
	align?: 'right';
};

/** THE table of the models' columns. */
export const modelColumns: readonly ModelColumn[] = [
	{ field: 'id', title: 'MODEL', least: 12, leaves: 0 },
	{ field: 'owner', title: 'OWNER', least: 8, leaves: 3 },
	{ field: 'contextWindow', title: 'CONTEXT', least: 9, leaves: 2, align: 'right' },
	{ field: 'inputPrice', title: 'INPUT', least: 8, leaves: 1, align: 'right' },
	{ field: 'outputPrice', title: 'OUTPUT', least: 8, leaves: 1, align: 'right' },
];

/** Models in the wanted order; those of which it is not known last, whichever way round. */
export function modelsInOrder(
	models: readonly Model[],
	{ by, isReversed }: ModelOrdering,
): readonly Model[] {
	const direction = isReversed ? -1 : 1;
	return models.toSorted((a, b) => {
		const [one, other] = [a[by], b[by]];
		if (one === undefined || other === undefined) {
			if (one !== other) return one === undefined ? 1 : -1;
		} else if (one !== other) {
			return (sortKeyOf(one) < sortKeyOf(other) ? -1 : 1) * direction;
		}
		return a.id < b.id ? -1 : 1;
	});
}

const sortKeyOf = (value: string | number) =>
	typeof value === 'string' ? value.toLowerCase() : value;

/** The ordering by the next column to the right, or to the left. */
export function nextModelOrdering({ by }: ModelOrdering, step: 1 | -1): ModelOrdering {
	const at = modelFields.indexOf(by) + step + modelFields.length;
	return { by: modelFields[at % modelFields.length] ?? 'id', isReversed: false };
}
