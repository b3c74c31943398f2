import { fitToWidth, paintSpans } from '../../drawing/span.ts';
import type { Age } from '../../store/age.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { UsageHistory } from '../../store/usage-history.ts';
import type { CellContext } from './cell-context.ts';
import { cellOf, type PlacedColumn, showsAge } from './fleet-table-text.ts';

/** The texts of a row's cells, and the values other than the row from which they were composed. */
type KeptRow = {
	/** The number of the last context for which the text was checked. */
	checkedIn: number;
	now: number;
	readAt: number | undefined;
	age: Age;
	usage: UsageHistory;
	/** The values that are drawn in cells that depend on more than the row. */
	drawn: DrawnTexts;
	cells: readonly string[];
	text: string;
};

type DrawnTexts = readonly (string | undefined)[];

type KeptRows = Pick<CellContext, 'latestVersion' | 'canChange' | 'matchedTermsOf' | 'theme'> & {
	placed: readonly PlacedColumn[];
	hasAge: boolean;
	/** The latest context and its number. Rows keep only the number, because a context holds the whole account. */
	context: CellContext;
	contextNumber: number;
	rows: WeakMap<FleetRow, KeptRow>;
};

type RowTexts = (row: FleetRow, placed: readonly PlacedColumn[], context: CellContext) => string;

/** Creates a function that returns the painted text of a row of any account. Each account has a context of its own. */
export function createRowTexts(): RowTexts {
	const textsByAccount = new Map<string, RowTexts>();

	return (row, placed, context) => {
		const textOf = textsByAccount.get(row.account) ?? createRowTextsOfAccount();
		textsByAccount.set(row.account, textOf);
		return textOf(row, placed, context);
	};
}

/**
 * Creates a function that returns the painted text of a row. The texts of rows are kept, and a cell is composed again
 * only if its text may have changed: most keys change no cell, and in most seconds only the ages change.
 */
function createRowTextsOfAccount(): RowTexts {
	let kept: KeptRows | undefined;

	return (row, placed, context) => {
		if (!kept || kept.placed !== placed || !haveSameLook(kept, context)) {
			const { latestVersion, canChange, matchedTermsOf, theme } = context;
			const hasAge = showsAge(placed);
			const look = { placed, hasAge, latestVersion, canChange, matchedTermsOf, theme };
			kept = { ...look, context, contextNumber: 0, rows: new WeakMap() };
		}
		if (kept.context !== context) {
			kept.context = context;
			kept.contextNumber += 1;
		}
		const before = kept.rows.get(row);
		const { hasAge, contextNumber: checkedIn } = kept;
		if (before?.checkedIn === checkedIn) return before.text;
		const [age, readAt] = [context.ageOf(row), context.lastReadAtOf(row)];
		const { now, usage } = context;
		const isSameTime = before?.now === now && before.readAt === readAt && !row.operation;
		const hasSameAge = before?.age === age;
		if (isSameTime && hasSameAge && before.usage === usage) {
			before.checkedIn = checkedIn;
			return before.text;
		}
		const drawn = placed.map(({ column, width }) => column.drawnText?.(row, width, context));
		const cells = placed.map((each, at) => {
			const isKept =
				hasSameAge &&
				before.drawn[at] === drawn[at] &&
				(isSameTime || !each.column.changesWithTime);
			const text = isKept ? before.cells[at] : undefined;
			return text ?? cellText(row, each, hasAge, context);
		});
		const text = cells.map((cell, at) => ' '.repeat(placed[at]?.gap ?? 0) + cell).join('');
		kept.rows.set(row, { checkedIn, now, readAt, age, usage, drawn, cells, text });
		return text;
	};
}

const haveSameLook = (a: KeptRows, b: CellContext) =>
	a.latestVersion === b.latestVersion &&
	a.canChange === b.canChange &&
	a.matchedTermsOf === b.matchedTermsOf &&
	a.theme === b.theme;

function cellText(
	row: FleetRow,
	placed: PlacedColumn,
	hasAge: boolean,
	context: CellContext,
): string {
	const { column, width } = placed;
	const { theme } = context;
	return paintSpans(
		fitToWidth(cellOf(row, placed, hasAge, context), width, theme, column.align),
		theme,
	);
}
