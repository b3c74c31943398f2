import { type Model, modelFilter } from '../fleet/computers/account.ts';
import { createFilterCompleter } from '../fleet/filters/completion.ts';
import { filterFrom } from '../fleet/filters/filter.ts';
import { inOrder } from '../fleet/filters/order.ts';
import { line } from '../lines/line.ts';
import { type Column, table } from '../lines/table.ts';
import { failureLines, readAge, waitingLine } from './phrases/reads.ts';
import type { Scene } from './scene.ts';
import type { View } from './view.ts';

//  Models  12  prices per million tokens                          read 4 m ago
//   MODEL▲               OWNER        CONTEXT      INPUT     OUTPUT
// ❯ harbor-large         crowsnest       200k       3.00      15.00
//   harbor-small         crowsnest       128k       0.25       1.25

export const models: View = {
	hasCursor: true,
	title(scene) {
		const { models: all = [] } = scene.account;
		const { length } = shownModels(scene);
		const count = length < all.length ? `  ${length} of ${all.length}` : `  ${all.length}`;
		const hasPrices = all.some(model => (model.inputPrice ?? model.outputPrice) !== undefined);
		return [
			[
				['Models', 'strong'],
				[all.length > 0 ? count : ''],
				[hasPrices ? '  prices per million tokens' : '', 'faint'],
			],
			readAge(scene, 'models'),
		];
	},
	lines(scene) {
		const failure = failureLines(scene, 'models');
		const { models: all } = scene.account;
		if (!all) return failure.length > 0 ? failure : [waitingLine('models')];
		if (all.length === 0) return [line(['The platform offers no models.', 'faint'])];
		const shown = shownModels(scene);
		if (shown.length > 0)
			return [
				...failure,
				...table(columnsFor(all, scene), shown, scene.width, ({ id }) => ({ id })),
			];
		const { models: filter } = scene.screen.filters;
		const advice = ['. Esc clears the filter.', 'faint'] as const;
		return [...failure, line(['No model matches '], [filter, 'accent'], advice)];
	},
	completions: ({ account, now }) => createFilterCompleter(account.models ?? [], modelFilter, now),
};

function shownModels({ account: { models = [] }, screen, now }: Scene): readonly Model[] {
	const { test } = filterFrom(screen.filters.models, modelFilter);
	const { by, isReversed } = screen.orderings.models;
	const orderValueOf = ({ [by]: value }: Model) =>
		typeof value === 'string' ? value.toLowerCase() : value;
	const found = models.filter(model => test(model, now));
	return inOrder(found, isReversed, orderValueOf, ({ id }) => id);
}

type ModelColumn = Omit<Column<Model>, 'cell'> & {
	field: keyof Model;
	text: (model: Model) => string | undefined;
};

function columnsFor(all: readonly Model[], { screen, width }: Scene): readonly Column<Model>[] {
	const { by, isReversed } = screen.orderings.models;
	// A program that reads the titles from a pipe looks for them without a sign.
	const sign = width === Infinity ? '' : isReversed ? '▼' : '▲';
	// All prices get as many decimals as the most precise one, so that the decimal points line up.
	const prices = all.flatMap(({ inputPrice = 0, outputPrice = 0 }) => [inputPrice, outputPrice]);
	const decimals = Math.max(minDecimals, ...prices.map(decimalsOf));
	const columns: readonly ModelColumn[] = [
		{ field: 'id', title: 'MODEL', min: 12, drop: 0, text: ({ id }) => id },
		{ field: 'owner', title: 'OWNER', min: 8, drop: 3, text: ({ owner }) => owner },
		{
			field: 'contextWindow',
			title: 'CONTEXT',
			min: 9,
			drop: 2,
			align: 'right',
			text: ({ contextWindow }) => contextSizeText(contextWindow),
		},
		{
			field: 'inputPrice',
			title: 'INPUT',
			min: 8,
			drop: 1,
			align: 'right',
			text: ({ inputPrice }) => inputPrice?.toFixed(decimals),
		},
		{
			field: 'outputPrice',
			title: 'OUTPUT',
			min: 8,
			drop: 1,
			align: 'right',
			text: ({ outputPrice }) => outputPrice?.toFixed(decimals),
		},
	];
	// The column of the order stays, because only its title says the order.
	return columns.map(({ field, text, ...column }) => ({
		...column,
		drop: field === by ? 0 : column.drop,
		title: field === by ? `${column.title}${sign}` : column.title,
		cell: model => [[text(model) ?? '–']],
	}));
}

/** 8.19k, 128k, 1.05M */
function contextSizeText(tokens: number | undefined): string | undefined {
	if (tokens === undefined || tokens < 1000) return tokens?.toString();
	const [size, unit] = tokens < 999_500 ? [1000, 'k'] : [1_000_000, 'M'];
	return `${Number((tokens / size).toPrecision(3))}${unit}`;
}

const minDecimals = 2;
const maxDecimals = 6;

const decimalsOf = (price: number) =>
	price.toFixed(maxDecimals).replace(/^.*\./, '').replace(/0+$/, '').length;
