import { type Model, modelFilter } from '../fleet/computers/account.ts';
import { createFilterCompleter } from '../fleet/filters/completion.ts';
import { filterFrom } from '../fleet/filters/filter.ts';
import { inOrder } from '../fleet/filters/order.ts';
import { type JsonFields, jsonRecord } from '../foundation/json.ts';
import { line } from '../lines/line.ts';
import { type Column, table } from '../lines/table.ts';
import { failureLines, missingLines } from './phrases/reads.ts';
import type { NamedView, Scene } from './scene.ts';

//  Models  12  prices per million tokens                          read 4 m ago
//   MODEL▲               OWNER        CONTEXT      INPUT     OUTPUT
// ❯ harbor-large         crowsnest       200k       3.00      15.00
//   harbor-small         crowsnest       128k       0.25       1.25

const read = 'models';

const fields = {
	id: 'id of the model',
	owner: 'company that made it',
	contextWindow: 'tokens that fit into its context',
	inputPrice: 'price per million input tokens',
	outputPrice: 'price per million output tokens',
} as const satisfies JsonFields;

const recordOf = (model: Model) => jsonRecord(fields, model);

export const models: NamedView = {
	hasCursor: true,
	read,
	title(scene) {
		const all = modelsIn(scene.accounts) ?? [];
		const { length } = shownModels(scene);
		const count = length < all.length ? `  ${length} of ${all.length}` : `  ${all.length}`;
		const hasPrices = all.some(model => (model.inputPrice ?? model.outputPrice) !== undefined);
		return [
			[
				['Models', 'strong'],
				[all.length > 0 ? count : ''],
				[hasPrices ? '  prices per million tokens' : '', 'faint'],
			],
		];
	},
	lines(scene) {
		const all = modelsIn(scene.accounts);
		if (!all) return missingLines(scene, read);
		if (all.length === 0) return [line(['The platform offers no models.', 'faint'])];
		const failure = failureLines(scene, read);
		const shown = shownModels(scene);
		if (shown.length > 0)
			return [...failure, ...table(columnsFor(scene), shown, scene.width, ({ id }) => ({ id }))];
		const { models: filter } = scene.screen.filters;
		const advice = ['. Esc clears the filter.', 'faint'] as const;
		return [...failure, line(['No model matches '], [filter, 'accent'], advice)];
	},
	completions: ({ accounts, now }) =>
		createFilterCompleter(modelsIn(accounts) ?? [], modelFilter, now),
	records: scene => shownModels(scene).map(recordOf),
	command: {
		help: 'list the available models and their prices',
		description: 'Prices are per million tokens.',
		examples: ['', "--json | jq -r '.[].id'"],
		reads: [read],
		json: { form: 'array', fields },
		record: ({ account }) => (account.models ?? []).map(recordOf),
	},
};

/** Undefined until one account has read them. */
function modelsIn(accounts: Scene['accounts']): readonly Model[] | undefined {
	const lists = accounts.flatMap(({ state }) => (state.models ? [state.models] : []));
	const models = lists.flat().map(model => [model.id, model] as const);
	return lists.length === 0 ? undefined : [...new Map(models).values()];
}

function shownModels({ accounts, screen, now }: Scene): readonly Model[] {
	const models = modelsIn(accounts) ?? [];
	const { test } = filterFrom(screen.filters.models, modelFilter);
	const { by, isReversed } = screen.orderings.models;
	const orderValueOf = ({ [by]: value }: Model) =>
		typeof value === 'string' ? value.toLowerCase() : value;
	const found = models.filter(model => test(model, now));
	return inOrder(found, isReversed, orderValueOf, ({ id }) => id);
}

type ModelColumn = readonly [field: keyof Model, title: string, min: number, drop: number];

const modelColumns: readonly ModelColumn[] = [
	['id', 'MODEL', 12, 0],
	['owner', 'OWNER', 8, 3],
	['contextWindow', 'CONTEXT', 9, 2],
	['inputPrice', 'INPUT', 8, 1],
	['outputPrice', 'OUTPUT', 8, 1],
];

function columnsFor({ screen, width }: Scene): readonly Column<Model>[] {
	const { by, isReversed } = screen.orderings.models;
	// A program that reads the titles from a pipe looks for them without a sign.
	const sign = width === Infinity ? '' : isReversed ? '▼' : '▲';
	const textOf = (value: Model[keyof Model], field: keyof Model) => {
		if (typeof value !== 'number') return value ?? '–';
		return field === 'contextWindow' ? contextSizeText(value) : priceText(value);
	};
	// The column of the order stays, because only its title says the order.
	return modelColumns.map(([field, title, min, drop]) => ({
		title: field === by ? `${title}${sign}` : title,
		min,
		drop: field === by ? 0 : drop,
		align: field === 'id' || field === 'owner' ? undefined : 'right',
		cell: model => [[textOf(model[field], field)]],
	}));
}

/** 8.19k, 128k, 1.05M */
function contextSizeText(tokens: number): string {
	if (tokens < 1000) return tokens.toString();
	const [size, unit] = tokens < 999_500 ? [1000, 'k'] : [1_000_000, 'M'];
	return `${Number((tokens / size).toPrecision(3))}${unit}`;
}

/** 3.00, 0.25, 0.075 */
const priceText = (price: number) => price.toFixed(6).replace(/(?<=\.\d\d+)0+$/, '');
