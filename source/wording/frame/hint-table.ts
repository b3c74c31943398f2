import type { OperationId } from '../../fleet/operations/operation.ts';
import { allowanceInPhase, operationRowOf } from '../../fleet/operations/operation-table.ts';
import { memoize } from '../../foundation/memoize.ts';
import {
	type Binding,
	bindingWorksIn,
	isTableContext,
	type KeyContext,
} from '../../keys/binding.ts';
import { currentFilter, type Screen } from '../../screen/screen.ts';
import { viewRows } from '../../screen/view-table.ts';
import type { FleetRow } from '../../store/selectors.ts';

/** The state that decides which keys the footer offers. */
export type HintContext = {
	keyContext: KeyContext;
	screen: Screen;
	/** The row under the cursor. */
	row: FleetRow | undefined;
	/** How many lines the cursor of a view can choose; undefined in the table and in a view without a cursor. */
	choiceCount?: number | undefined;
	/** Whether the line under the cursor can be cancelled. */
	isCancellable?: boolean;
	/** Whether a failure stands, which can be asked for again. */
	hasFailure?: boolean;
	/** The marked rows, which the next operation applies to. */
	markedRows?: readonly FleetRow[];
	isAnyOutdated: boolean;
	hasTrouble: boolean;
	isLocked: boolean;
	/** Whether the platform has answered that the account has no plan. */
	canStartBilling?: boolean;
	/** Whether an own command runs whose output is shown. */
	hasRunningCommand?: boolean;
	/** The effect of the next press of Esc; undefined if it does nothing. */
	escapeHint: string | undefined;
	/** Whether Esc cancels a countdown, so that its hint comes before all others, on every screen. */
	isCountingDown?: boolean;
};

/**
 * The parts of the footer from left to right: cancel what counts down, look at the fleet, do something, go somewhere
 * else.
 */
export const hintGroups = ['now', 'look', 'do', 'go'] as const;

type HintRow = {
	group: (typeof hintGroups)[number];
	/** If the screen is too narrow, the hints with the highest numbers are dropped first. */
	dropOrder: number;
	/** Whether the key deserves a hint at this moment. If absent, it always does. */
	isUseful?: (context: HintContext) => boolean;
};

/** Whether there is a line under the cursor. Without one, the keys that act on a line have no hint. */
const hasLine = ({ keyContext, row, choiceCount }: HintContext) =>
	isTableContext(keyContext) ? row !== undefined : choiceCount !== 0;
/** These keys change the table, so they have no hint while the details hide it. */
const isTableHidden = ({ keyContext, screen }: HintContext) =>
	isTableContext(keyContext) && screen.isDetailOpen;
const hasVisibleLine = (context: HintContext) => hasLine(context) && !isTableHidden(context);
const hasFilteredLines = (context: HintContext) =>
	viewRows[context.screen.view].isFilterable &&
	(hasVisibleLine(context) || (currentFilter(context.screen) !== '' && !isTableHidden(context)));
const hasPorts = ({ row }: HintContext) => (row?.computer.reading.ports?.length ?? 0) > 0;

/**
 * THE table of the footer's hints, by the action of their binding, in the order in which they stand. The first hints
 * are for what a person does most often: open, filter and mark. Hints for the row under the cursor follow. On a narrow
 * screen, the operations that help in trouble stay longer than views, marks and an update, which can wait.
 */
const hintTable: Readonly<Record<string, HintRow>> = {
	open: { group: 'look', dropOrder: 8, isUseful: hasVisibleLine },
	filter: { group: 'look', dropOrder: 2, isUseful: hasFilteredLines },
	mark: { group: 'look', dropOrder: 9, isUseful: hasLine },
	order: { group: 'look', dropOrder: 12, isUseful: hasVisibleLine },
	nextTrouble: { group: 'look', dropOrder: 11, isUseful: ({ hasTrouble }) => hasTrouble },
	lock: { group: 'do', dropOrder: 4, isUseful: ({ isLocked }) => isLocked },
	retry: { group: 'do', dropOrder: 4, isUseful: ({ hasFailure }) => hasFailure === true },
	start: { group: 'do', dropOrder: 4 },
	stop: { group: 'do', dropOrder: 4 },
	restart: { group: 'do', dropOrder: 5 },
	update: { group: 'do', dropOrder: 7 },
	copyAddress: { group: 'do', dropOrder: 14, isUseful: hasPorts },
	checkPorts: { group: 'do', dropOrder: 15, isUseful: hasPorts },
	publish: { group: 'do', dropOrder: 13 },
	unpublish: { group: 'do', dropOrder: 18 },
	create: { group: 'do', dropOrder: 16 },
	delete: { group: 'do', dropOrder: 19 },
	startBilling: {
		group: 'do',
		dropOrder: 13,
		isUseful: ({ canStartBilling = false }) => canStartBilling,
	},
	palette: { group: 'go', dropOrder: 6 },
	nextView: { group: 'go', dropOrder: 10 },
	help: { group: 'go', dropOrder: 1 },
	back: { group: 'go', dropOrder: 3 },
	// In the menu of columns, the hint for Esc says the same.
	close: { group: 'go', dropOrder: 1, isUseful: ({ keyContext }) => keyContext !== 'columns' },
	quit: { group: 'go', dropOrder: 1 },
};

/** The row for keys that are not in the table: they belong to a single view, or to a command of the configuration. */
const otherHint: HintRow = { group: 'do', dropOrder: 8 };

/** The keys of single views. Most of them need a line under the cursor. */
const otherHints: Readonly<Record<string, HintRow>> = {
	...Object.fromEntries(
		['openEntry', 'copyModel', 'showVersion'].map(action => [
			action,
			{ ...otherHint, isUseful: hasLine },
		]),
	),
	cancelUnsent: { ...otherHint, isUseful: ({ isCancellable = false }) => isCancellable },
	endCommands: {
		...otherHint,
		isUseful: ({ hasRunningCommand = false }) => hasRunningCommand,
	},
	updateBehind: { ...otherHint, dropOrder: otherHint.dropOrder - 1 },
	failuresOnly: { ...otherHint, dropOrder: otherHint.dropOrder - 1 },
};

const order = new Map(Object.keys(hintTable).map((action, place) => [action, place]));
const placeOf = (action: string) => order.get(action) ?? order.size;

const hintRowOf = (action: string): HintRow =>
	Object.hasOwn(hintTable, action)
		? (hintTable[action] ?? otherHint)
		: Object.hasOwn(otherHints, action)
			? (otherHints[action] ?? otherHint)
			: otherHint;

/** Returns the bindings that have a hint in this context, with their rows, in their order in the footer. */
const hintedBindings = memoize((bindings: readonly Binding[], keyContext: KeyContext) =>
	bindings
		.filter(
			({ hint, keys, isRefused, contexts }) =>
				hint !== undefined &&
				keys.length > 0 &&
				!isRefused &&
				bindingWorksIn({ contexts }, keyContext),
		)
		.toSorted((a, b) => placeOf(a.action) - placeOf(b.action))
		.map(binding => ({ binding, row: hintRowOf(binding.action) })),
);

/**
 * While computers are marked, the drop order of operations is lower by this, so that they are dropped later than
 * usual.
 */
const markedPriority = 4;

/** While a countdown runs, the hint for Esc is the first, and the last to be dropped. */
const urgentHint = { group: 'now', dropOrder: 0 } as const;

export type Hint = Pick<HintRow, 'group' | 'dropOrder'> & { key: string; text: string };

/** Returns the hints that make sense now, in their order in the footer. */
export function hintsOf(bindings: readonly Binding[], context: HintContext): readonly Hint[] {
	const hints: Hint[] = [];
	for (const { binding, row } of hintedBindings(bindings, context.keyContext)) {
		if (isOffered(binding, row, context)) hints.push(hintOf(binding, row, context));
	}
	return hints;
}

function hintOf({ action, keys, hint = '', intent }: Binding, row: HintRow, context: HintContext) {
	const isBack = intent.type === 'move' && intent.move.type === 'back';
	// While details are open, the key that quits closes them.
	const usual = action === 'quit' && isTableHidden(context) ? 'close' : hint;
	const text = isBack ? (context.escapeHint ?? usual) : isTermSet(intent, context) ? 'all' : usual;
	const { group, dropOrder } = isBack && context.isCountingDown === true ? urgentHint : row;
	// While computers are marked, hints for operations are kept longer, because a person is about to operate
	// on the marked computers.
	const isNext = intent.type === 'ask' && (context.markedRows?.length ?? 0) > 0;
	const order = isNext ? dropOrder - markedPriority : dropOrder;
	return { group, dropOrder: order, key: keys[0] ?? '', text };
}

/** Whether the key takes a term out of the filter, so that the view shows everything again. */
const isTermSet = (intent: Binding['intent'], { screen }: HintContext) =>
	intent.type === 'move' &&
	intent.move.type === 'toggleTerm' &&
	currentFilter(screen).split(/\s+/).includes(intent.move.term);

/**
 * Returns whether the footer hints at this key. Operations are offered only if the phase of the computer
 * under the cursor allows them.
 */
function isOffered({ intent }: Binding, { isUseful }: HintRow, context: HintContext): boolean {
	const { keyContext, row, markedRows = noRows, isAnyOutdated } = context;
	if (isUseful?.(context) === false) return false;
	if (intent.type === 'move' && intent.move.type === 'back')
		return !isTableContext(keyContext) || context.escapeHint !== undefined;
	if (intent.type !== 'ask') return true;
	const { subject, changes, seldomHelpsIn } = operationRowOf(intent.operation);
	// A locked monitor changes nothing.
	if (context.isLocked && changes) return false;
	if (subject === 'account') return true;
	if (intent.targets === 'behind') return isAnyOutdated;
	if (markedRows.length > 0 && subject === 'port') return false;
	if (row && seldomHelpsIn?.includes(row.computer.phase)) return false;
	if (markedRows.length === 0) return row !== undefined && accepts(row, intent.operation);
	return markedRows.some(target => accepts(target, intent.operation));
}

const noRows: readonly FleetRow[] = [];

/** Whether a computer accepts an operation, judged by its row. */
function accepts(row: FleetRow, operation: OperationId): boolean {
	const { goal } = operationRowOf(operation);
	if (goal.reaches === 'version' && !row.isOutdated) return false;
	if (goal.reaches === 'unpublished' && !row.computer.reading.ports?.length) return false;
	return allowanceInPhase(operation, row.computer.phase).isAllowed;
}
