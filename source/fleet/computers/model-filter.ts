import { type FilteredParts, termFilterFrom } from '../../foundation/term-filter.ts';
import type { Model } from './account.ts';

export const modelFilterParts: FilteredParts<Model> = {
	textOf: ({ id, owner = '' }) => `${id} ${owner}`.toLowerCase(),
	fields: {
		owner: ({ owner }) => (owner === undefined ? [] : [owner]),
		context: ({ contextWindow: size }) => (size === undefined ? [] : [size]),
		input: ({ inputPrice: price }) => (price === undefined ? [] : [price]),
		output: ({ outputPrice: price }) => (price === undefined ? [] : [price]),
	},
};

/** Returns the models that match a filter such as `coder context:>128k input:<1`. */
export const modelsMatching = (models: readonly Model[], filter: string) =>
	models.filter(termFilterFrom(filter, modelFilterParts).test);

/** Returns the mistake in a filter of models; undefined for a valid filter. */
export const modelFilterMistake = (filter: string) =>
	termFilterFrom(filter, modelFilterParts).mistake;
