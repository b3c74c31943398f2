import { cursorWidth, fitTable, type Section } from '../../drawing/section.ts';
import type { Span } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import type { Model } from '../../fleet/computers/account.ts';
import { modelFilterParts, modelsMatching } from '../../fleet/computers/model-filter.ts';
import { memoize } from '../../foundation/memoize.ts';
import { createTermCompleter } from '../../foundation/term-completion.ts';
import { type Choice, chosenLineIndex, type ViewCursors } from '../../screen/choice.ts';
import type { Filters, Orderings } from '../../screen/view-table.ts';
import { failureBehind } from '../../store/freshness.ts';
import type { JointAccount } from '../../store/state.ts';
import { readAgeSpans } from '../phrases/freshness-text.ts';
import { failingReadLines, readingText } from '../phrases/trouble-text.ts';

type ModelsOptions = {
	account: JointAccount;
	orderings: Pick<Orderings, 'models'>;
	filters?: Pick<Filters, 'models'>;
	viewCursors?: ViewCursors;
	now: number;
	width: number;
	theme: Theme;
};

export function modelsTitle(options: ModelsOptions): readonly [Span[], readonly Span[]] {
	const { models = [] } = options.account;
	const hasPrices = models.some(
		({ inputPrice, outputPrice }) => (inputPrice ?? outputPrice) !== undefined,
	);
	const left: Span[] = [['Models', 'strong']];
	const { length: shown } = shownModels(options);
	const count = shown < models.length ? `${shown} of ${models.length}` : `${models.length}`;
	if (models.length > 0) left.push([`  ${count}`]);
	if (hasPrices) left.push(['  prices per million tokens', 'faint']);
	return [left, readAgeSpans(options, 'models')];
}

export function modelsSections(options: ModelsOptions): readonly Section[] {
	const { account, orderings, viewCursors, width, now, theme } = options;
	const { models: ordering } = orderings;
	const { models, reads } = account;
	const failing = models ? reads.models?.failing : failureBehind(account, 'models', now);
	const failure: Section = failing
		? [{ type: 'lines', lines: failingReadLines('models', failing) }]
		: [];
	if (!models) return failing ? [failure] : [[{ type: 'waiting', text: readingText('models') }]];
	if (models.length === 0) {
		return [[{ type: 'lines', lines: [[[' The platform offers no models.', 'faint']]] }]];
	}
	const { ascending, descending, noValue: none } = theme.glyphs;
	const sign = ordering.isReversed ? descending : ascending;
	const columns = modelColumns.map(({ field, title, dropOrder, ...column }) => ({
		...column,
		// The column of the order stays, because only its title says the order.
		dropOrder: field === ordering.by ? 0 : dropOrder,
		// A program that reads the titles from a pipe looks for them without a sign.
		title: field === ordering.by && Number.isFinite(width) ? `${title}${sign}` : title,
	}));
	const priceText = createPriceFormatter(models);
	const matching = shownModels(options);
	if (matching.length === 0) {
		const filter = options.filters?.models ?? '';
		return [
			failure,
			[
				{
					type: 'lines',
					lines: [
						[[' No model matches '], [filter, 'accent'], ['. Esc clears the filter.', 'faint']],
					],
				},
			],
		];
	}
	const rows = matching.map(model => [
		model.id,
		model.owner ?? none,
		contextSizeText(model.contextWindow) ?? none,
		priceText(model.inputPrice) ?? none,
		priceText(model.outputPrice) ?? none,
	]);
	const table = fitTable(columns, rows, width - cursorWidth, theme);
	const cursorLine = chosenLineIndex(viewCursors?.models, modelChoices(options));
	return [failure, [{ ...table, cursorLine }]];
}

/** Completes the words of the filter with the fields and values that the models have. */
export const modelCompletions = ({ account, modelCompleterOf }: ModelCompletionOptions) =>
	modelCompleterOf(account.models ?? noModels);

const noModels: readonly Model[] = [];

export const createModelCompleter = () =>
	memoize((models: readonly Model[]) => createTermCompleter(models, modelFilterParts));

type ModelCompletionOptions = Pick<ModelsOptions, 'account'> & {
	modelCompleterOf: ReturnType<typeof createModelCompleter>;
};

/** Returns the rows of the table. */
export const modelChoices = (options: ModelsOptions): readonly Choice[] =>
	shownModels(options).map(({ id }, at) => ({ id, line: at + 1 }));

/** Returns the models that match the filter, in the order of the table. */
function shownModels({ account, orderings, filters }: ModelsOptions): readonly Model[] {
	const matching = modelsMatching(account.models ?? [], filters?.models ?? '');
	return modelsInOrder(matching, orderings.models);
}

/** Formats a number of tokens with up to three digits, as in 8.19k, 128k or 1.05M. */
function contextSizeText(tokens: number | undefined): string | undefined {
	if (tokens === undefined || tokens < 1000) return tokens?.toString();
	const [size, unit] = tokens < 999_500 ? [1000, 'k'] : [1_000_000, 'M'];
	return `${Number((tokens / size).toPrecision(3))}${unit}`;
}

const minDecimals = 2;
const maxDecimals = 6;

/**
 * Returns a function that formats a price. All prices get as many decimals as the most precise price of
 * these models, so that the decimal points line up.
 */
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

type ModelOrdering = Orderings['models'];

type ModelColumn = {
	field: keyof Model;
	title: string;
	minWidth: number;
	dropOrder: number;
	align?: 'right';
};

/** The columns of the table of models, from left to right. */
const modelColumns: readonly ModelColumn[] = [
	{ field: 'id', title: 'MODEL', minWidth: 12, dropOrder: 0 },
	{ field: 'owner', title: 'OWNER', minWidth: 8, dropOrder: 3 },
	{ field: 'contextWindow', title: 'CONTEXT', minWidth: 9, dropOrder: 2, align: 'right' },
	{ field: 'inputPrice', title: 'INPUT', minWidth: 8, dropOrder: 1, align: 'right' },
	{ field: 'outputPrice', title: 'OUTPUT', minWidth: 8, dropOrder: 1, align: 'right' },
];

/** Orders the models by a field. A model without a value in that field comes last, also in reverse. */
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
