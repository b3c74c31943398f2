import { allowanceInPhase, operationRowOf } from '../../fleet/operations/operation-table.ts';
import { memoize } from '../../foundation/memoize.ts';
import { type Binding, isTableContext, type KeyContext, worksIn } from '../../keys/binding.ts';
import type { Screen } from '../../screen/screen.ts';
import type { Row } from '../../store/selectors.ts';

/** What decides which keys the footer offers. */
export type HintContext = {
	keyContext: KeyContext;
	screen: Screen;
	/** The row under the cursor. */
	row: Row | undefined;
	isAnyOutdated: boolean;
	hasTrouble: boolean;
	isLocked: boolean;
	/** Whether the account has a plan, so that billing has started. */
	hasPlan?: boolean;
	/** What the next press of Esc does; undefined if it does nothing. */
	escapeHint: string | undefined;
};

/** The parts of the footer from left to right: look at the fleet, do something, go somewhere else. */
export const hintGroups = ['look', 'do', 'go'] as const;

type HintRow = {
	group: (typeof hintGroups)[number];
	/** The hints with the highest numbers leave first if the screen is too narrow. */
	dropOrder: number;
	/** Whether the key is worth a hint now. It is always worth one if this is absent. */
	isUseful?: (context: HintContext) => boolean;
};

const hasFailed = ({ row }: HintContext) => row?.operation?.stage === 'failed';
/** A restart is what helps a computer in error. Starting and stopping it is possible, but seldom does. */
const isInError = ({ row }: HintContext) => row?.computer.phase === 'error';
const hasPorts = ({ row }: HintContext) => (row?.computer.reading.ports?.length ?? 0) > 0;

/**
 * THE table of the footer's hints, by the action of their binding, in the order in which they stand. A person opens,
 * filters and marks most often; then come the keys that this row needs.
 */
const hintTable: Readonly<Record<string, HintRow>> = {
	open: { group: 'look', dropOrder: 6 },
	filter: { group: 'look', dropOrder: 2 },
	mark: { group: 'look', dropOrder: 7 },
	order: { group: 'look', dropOrder: 11 },
	nextTrouble: { group: 'look', dropOrder: 10, isUseful: ({ hasTrouble }) => hasTrouble },
	lock: { group: 'do', dropOrder: 4, isUseful: ({ isLocked }) => isLocked },
	retry: { group: 'do', dropOrder: 5, isUseful: hasFailed },
	update: { group: 'do', dropOrder: 5 },
	start: { group: 'do', dropOrder: 8, isUseful: context => !isInError(context) },
	stop: { group: 'do', dropOrder: 8, isUseful: context => !isInError(context) },
	restart: { group: 'do', dropOrder: 9 },
	copyAddress: { group: 'do', dropOrder: 13, isUseful: hasPorts },
	checkPorts: { group: 'do', dropOrder: 14, isUseful: hasPorts },
	publish: { group: 'do', dropOrder: 12 },
	unpublish: { group: 'do', dropOrder: 18 },
	create: { group: 'do', dropOrder: 15 },
	delete: { group: 'do', dropOrder: 19 },
	startBilling: { group: 'do', dropOrder: 12, isUseful: ({ hasPlan = false }) => !hasPlan },
	palette: { group: 'go', dropOrder: 3 },
	nextView: { group: 'go', dropOrder: 9 },
	help: { group: 'go', dropOrder: 1 },
	back: { group: 'go', dropOrder: 4 },
	close: { group: 'go', dropOrder: 20 },
	quit: { group: 'go', dropOrder: 16 },
};

/** A key with a hint that is not in the table belongs to one view, or to a command of the configuration. */
const otherHint: HintRow = { group: 'do', dropOrder: 8 };

const order = new Map(Object.keys(hintTable).map((action, place) => [action, place]));
const placeOf = (action: string) => order.get(action) ?? order.size;

/** Returns the bindings that have a hint, in their order in the footer. */
const hintedBindings = memoize((bindings: readonly Binding[]) =>
	bindings
		.filter(({ hint, keys }) => hint !== undefined && keys.length > 0)
		.toSorted((a, b) => placeOf(a.action) - placeOf(b.action)),
);

const hintRowOf = (action: string): HintRow =>
	Object.hasOwn(hintTable, action) ? (hintTable[action] ?? otherHint) : otherHint;

export type Hint = HintRow & { key: string; text: string; isDimmed: boolean };

/** Returns the hints that make sense now, in their order in the footer. */
export function hintsOf(bindings: readonly Binding[], context: HintContext): readonly Hint[] {
	return hintedBindings(bindings)
		.filter(binding => isOffered(binding, context))
		.map(({ action, keys, hint = '', intent }) => {
			const isBack = intent.type === 'move' && intent.move.type === 'back';
			const text = isBack ? (context.escapeHint ?? hint) : hint;
			// A locked monitor asks for no operation.
			const isDimmed =
				context.isLocked && intent.type === 'ask' && operationRowOf(intent.operation).changes;
			return { ...hintRowOf(action), key: keys[0] ?? '', text, isDimmed };
		});
}

/**
 * Returns whether the footer hints at this key. Operations are offered only if the phase of the computer
 * under the cursor allows them.
 */
function isOffered(binding: Binding, context: HintContext): boolean {
	const { action, intent, contexts, isRefused } = binding;
	const { keyContext, screen, row, isAnyOutdated } = context;
	if (isRefused || !worksIn({ contexts }, keyContext)) return false;
	if (hintRowOf(action).isUseful?.(context) === false) return false;
	if (intent.type === 'move' && intent.move.type === 'back')
		return !isTableContext(keyContext) || context.escapeHint !== undefined;
	if (intent.type !== 'ask') return true;
	const { subject, goal } = operationRowOf(intent.operation);
	if (subject === 'account') return true;
	if (intent.targets === 'behind') return isAnyOutdated;
	if (!row) return false;
	if (screen.marks.size > 0) return subject !== 'port';
	if (goal.reaches === 'version' && !row.isOutdated) return false;
	if (goal.reaches === 'unpublished' && !row.computer.reading.ports?.length) return false;
	return allowanceInPhase(intent.operation, row.computer.phase).isAllowed;
}
