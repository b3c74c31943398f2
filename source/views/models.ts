import { type Model, modelFilter } from '../fleet/computers/account.ts';
import { createFilterCompleter } from '../fleet/filters/completion.ts';
import { filterFrom } from '../fleet/filters/filter.ts';
import { inOrder } from '../fleet/filters/order.ts';
import { line } from '../lines/line.ts';
import type { Span } from '../lines/span.ts';
import { type Column, table } from '../lines/table.ts';
import type { Orderings } from './look/view-table.ts';
import { readAge } from './phrases/reads.ts';
import { failureLines, waitingLine } from './reads.ts';
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
		const { length: shown } = shownModels(scene);
		const count = shown < all.length ? `${shown} of ${all.length}` : `${all.length}`;
		const hasPrices = all.some(
			({ inputPrice, outputPrice }) => (inputPrice ?? outputPrice) !== undefined,
		);
		return [
			[
				['Models', 'strong'],
				[all.length > 0 ? `  ${count}` : ''],
				[hasPrices ? '  prices per million tokens' : '', 'faint'],
			],
			readAge(scene, 'models'),
		];
	},
	lines(scene) {
		const { account, screen, width } = scene;
		const failure = failureLines(scene, 'models');
		const { models: all } = account;
		if (!all) return failure.length > 0 ? failure : [waitingLine('models')];
		if (all.length === 0) return [line(['The platform offers no models.', 'faint'])];
		const shown = shownModels(scene);
		if (shown.length > 0) {
			const columns = columnsFor(all, screen.orderings.models, width);
			return [...failure, ...table(columns, shown, width, ({ id }) => ({ id }))];
		}
		const filter: Span = [screen.filters.models, 'accent'];
		return [...failure, line(['No model matches '], filter, ['. Esc clears the filter.', 'faint'])];
	},
	completions: ({ account, now }) => createFilterCompleter(account.models ?? [], modelFilter, now),
};

function shownModels({ account: { models = [] }, screen, now }: Scene): readonly Model[] {
	const { test } = filterFrom(screen.filters.models, modelFilter);
	const { by, isReversed } = screen.orderings.models;
	const orderValueOf = ({ [by]: value }: Model) =>
		typeof value === 'string' ? value.toLowerCase() : value;
	return inOrder(
		models.filter(model => test(model, now)),
		isReversed,
		orderValueOf,
		({ id }) => id,
	);
}

function columnsFor(
	all: readonly Model[],
	{ by, isReversed }: Orderings['models'],
	width: number,
): readonly Column<Model>[] {
	const priceText = createPriceFormatter(all);
	// A program that reads the titles from a pipe looks for them without a sign.
	const sign = width === Number.POSITIVE_INFINITY ? '' : isReversed ? '▼' : '▲';
	const column = (
		field: keyof Model,
		title: string,
		text: (model: Model) => string | undefined,
		layout: Pick<Column<Model>, 'drop' | 'min' | 'align'>,
	): Column<Model> => ({
		...layout,
		// The column of the order stays, because only its title says the order.
		drop: field === by ? 0 : layout.drop,
		title: field === by ? `${title}${sign}` : title,
		cell: model => [[text(model) ?? '–']],
	});
	return [
		column('id', 'MODEL', ({ id }) => id, { min: 12, drop: 0 }),
		column('owner', 'OWNER', ({ owner }) => owner, { min: 8, drop: 3 }),
		column('contextWindow', 'CONTEXT', ({ contextWindow }) => contextSizeText(contextWindow), {
			min: 9,
			drop: 2,
			align: 'right',
		}),
		column('inputPrice', 'INPUT', ({ inputPrice }) => priceText(inputPrice), {
			min: 8,
			drop: 1,
			align: 'right',
		}),
		column('outputPrice', 'OUTPUT', ({ outputPrice }) => priceText(outputPrice), {
			min: 8,
			drop: 1,
			align: 'right',
		}),
	];
}

/** 8.19k, 128k, 1.05M */
function contextSizeText(tokens: number | undefined): string | undefined {
	if (tokens === undefined || tokens < 1000) return tokens?.toString();
	const [size, unit] = tokens < 999_500 ? [1000, 'k'] : [1_000_000, 'M'];
	return `${Number((tokens / size).toPrecision(3))}${unit}`;
}

const minDecimals = 2;
const maxDecimals = 6;

/** All prices get as many decimals as the most precise one, so that the decimal points line up. */
function createPriceFormatter(
	models: readonly Model[],
): (price: number | undefined) => string | undefined {
	const prices = models.flatMap(({ inputPrice, outputPrice }) => [
		inputPrice ?? 0,
		outputPrice ?? 0,
	]);
	const decimals = prices.reduce(
		(maxSoFar, price) => Math.max(maxSoFar, decimalsOf(price)),
		minDecimals,
	);
	return price => price?.toFixed(decimals);
}

function decimalsOf(price: number): number {
	const [, digits = ''] = price.toFixed(maxDecimals).split('.');
	return digits.replace(/0+$/, '').length;
}
