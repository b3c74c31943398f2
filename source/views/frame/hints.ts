import type { OperationId } from '../../fleet/operations/operation.ts';
import { allowanceInPhase, operationRowOf } from '../../fleet/operations/operation-table.ts';
import { type Binding, bindingWorksIn, isTableContext, isViewContext } from '../../keys/binding.ts';
import { shownKey } from '../../keys/shown-keys.ts';
import type { Part } from '../../lines/parts.ts';
import type { Click } from '../../screen/click.ts';
import { currentFilter, cursorIndex, isMap } from '../../screen/screen.ts';
import { viewRows } from '../../screen/view-table.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { Scene } from '../scene.ts';
import type { BodyFacts } from './body-facts.ts';
import { failureOf, isCountingDown } from './messages.ts';
import { withReplayHints } from './replay.ts';

type HintScene = Scene & Pick<BodyFacts, 'choice' | 'choiceCount'>;

const rowOf = ({ screen, shown }: Scene): FleetRow | undefined =>
	shown.rows[cursorIndex(screen, shown.ids)];

/** Whether there is a line under the cursor. Without one, the keys that act on a line have no hint. */
const hasLine = (scene: HintScene) =>
	isTableContext(scene.keyContext) ? rowOf(scene) !== undefined : scene.choiceCount !== 0;
/** These keys change the table, so they have no hint while the details hide it. */
const isTableHidden = ({ keyContext, screen }: Scene) =>
	isTableContext(keyContext) && screen.isDetailOpen;
const hasVisibleLine = (scene: HintScene) => hasLine(scene) && !isTableHidden(scene);
const hasFilteredLines = (scene: HintScene) =>
	viewRows[scene.screen.view].isFilterable &&
	(hasVisibleLine(scene) || (currentFilter(scene.screen) !== '' && !isTableHidden(scene)));
const hasPorts = (scene: Scene) => (rowOf(scene)?.computer.reading.ports?.length ?? 0) > 0;
const hasFailure = (scene: HintScene) =>
	failureOf(scene) !== undefined || scene.choice?.hasFailed === true;
const runsCommand = ({ operationsState: { commandRuns } }: Scene) =>
	commandRuns.some(({ endedAt }) => endedAt === undefined);

/** The groups of hints from left to right: cancel a countdown, look at the fleet, do something, go somewhere else. */
const groups = ['now', 'look', 'do', 'go'] as const;
type Group = (typeof groups)[number];

type HintRow = readonly [
	group: Group,
	/** Where there is little room, the hints with the highest numbers leave first. */
	drop: number,
	/** Whether the key deserves a hint at this moment. If absent, it always does. */
	isUseful?: (scene: HintScene) => boolean,
];

/**
 * THE table of the footer's hints, by the action of their binding, in the order in which they stand. The first hints
 * are for what a person does most often: open, filter and mark. On a narrow screen, the operations that help in trouble
 * stay longer than views, marks and an update, which can wait.
 */
const hintTable: Readonly<Record<string, HintRow>> = {
	open: ['look', 8, hasVisibleLine],
	filter: ['look', 2, hasFilteredLines],
	mark: ['look', 9, hasLine],
	order: ['look', 12, hasVisibleLine],
	nextTrouble: ['look', 11, ({ shown }) => shown.hasTrouble],
	lock: ['do', 4, ({ operationsState }) => operationsState.isLocked],
	retry: ['do', 4, hasFailure],
	start: ['do', 4],
	stop: ['do', 4],
	restart: ['do', 5],
	update: ['do', 7],
	copyAddress: ['do', 14, hasPorts],
	checkPorts: ['do', 15, hasPorts],
	publish: ['do', 13],
	unpublish: ['do', 18],
	create: ['do', 16],
	delete: ['do', 19],
	startBilling: ['do', 13, ({ account }) => account.subscription === null],
	openEntry: ['do', 8, hasLine],
	copyModel: ['do', 8, hasLine],
	showVersion: ['do', 8, hasLine],
	cancelUnsent: ['do', 8, ({ choice }) => choice?.isCancellable === true],
	endCommands: ['do', 8, runsCommand],
	updateBehind: ['do', 7],
	failuresOnly: ['do', 7],
	palette: ['go', 6],
	nextView: ['go', 10],
	help: ['go', 1],
	back: ['go', 3],
	// In the menu of columns, the hint for Esc says the same.
	close: ['go', 1, ({ keyContext }) => keyContext !== 'columns'],
	quit: ['go', 1],
};

/** The row of the commands of the configuration. */
const otherHint: HintRow = ['do', 8];

const hintRowOf = (action: string): HintRow =>
	Object.hasOwn(hintTable, action) ? (hintTable[action] ?? otherHint) : otherHint;

const actions = Object.keys(hintTable);
const placeOf = (action: string) =>
	Object.hasOwn(hintTable, action) ? actions.indexOf(action) : actions.length;

/** While computers are marked, an operation on them is probably next, so its hint stays longer. */
const markedPriority = 4;

export type Hint = Part & { group: Group };

/** Returns the hints that make sense now, in their order in the footer. */
export function hintsOf(scene: HintScene): readonly Hint[] {
	const { keyContext, replay } = scene;
	const bindings = replay ? withReplayHints(replay, scene.bindings) : scene.bindings;
	const markedRows = markedRowsOf(scene);
	return bindings
		.filter(
			binding =>
				binding.hint !== undefined &&
				binding.keys.length > 0 &&
				!binding.isRefused &&
				bindingWorksIn(binding, keyContext) &&
				isOffered(binding, markedRows, scene),
		)
		.toSorted((a, b) => placeOf(a.action) - placeOf(b.action))
		.map(binding => hintOf(binding, markedRows, scene))
		.toSorted((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group));
}

const markedRowsOf = ({ screen: { marks }, shown: { allRows } }: Scene) =>
	marks.size === 0 ? [] : allRows.filter(row => marks.has(row.id));

const isBack = ({ intent }: Binding) => intent.type === 'move' && intent.move.type === 'back';

function hintOf(binding: Binding, markedRows: readonly FleetRow[], scene: HintScene): Hint {
	const { action, keys, hint = '', intent } = binding;
	const [key = ''] = keys;
	const [group, drop] = hintRowOf(action);
	// While details are open, the key that quits closes them.
	const usual = action === 'quit' && isTableHidden(scene) ? 'close' : hint;
	const text = isBack(binding)
		? (escapeHint(scene) ?? usual)
		: isTermSet(intent, scene)
			? 'all'
			: usual;
	const click: Click = { type: 'key', key };
	const isNext = intent.type === 'ask' && markedRows.length > 0;
	const isUrgent = isBack(binding) && isCancelOffered(scene);
	return {
		group: isUrgent ? 'now' : group,
		drop: isUrgent ? 0 : drop - (isNext ? markedPriority : 0),
		spans: [
			[shownKey(key), 'accent', click],
			[` ${text}`, 'faint', click],
		],
	};
}

/** Whether the key takes a term out of the filter, so that the view shows everything again. */
const isTermSet = (intent: Binding['intent'], { screen }: Scene) =>
	intent.type === 'move' &&
	intent.move.type === 'toggleTerm' &&
	currentFilter(screen).split(/\s+/).includes(intent.move.term);

/** Operations are offered only if the phase of the computer under the cursor allows them. */
function isOffered(binding: Binding, markedRows: readonly FleetRow[], scene: HintScene): boolean {
	const { keyContext, operationsState, counts } = scene;
	const { intent } = binding;
	const [, , isUseful] = hintRowOf(binding.action);
	if (isUseful?.(scene) === false) return false;
	if (isBack(binding)) return !isTableContext(keyContext) || escapeHint(scene) !== undefined;
	if (intent.type !== 'ask') return true;
	const { subject, changes, seldomHelpsIn } = operationRowOf(intent.operation);
	if (operationsState.isLocked && changes) return false;
	if (subject === 'account') return true;
	if (intent.targets === 'behind') return counts.outdated > 0;
	if (markedRows.length > 0 && subject === 'port') return false;
	const row = rowOf(scene);
	if (row && seldomHelpsIn?.includes(row.computer.phase)) return false;
	const targets = markedRows.length > 0 ? markedRows : row ? [row] : [];
	return targets.some(target => accepts(target, intent.operation));
}

/** Whether a computer accepts an operation, judged by its row. */
function accepts(row: FleetRow, operation: OperationId): boolean {
	const { goal } = operationRowOf(operation);
	if (goal.reaches === 'version' && !row.isOutdated) return false;
	if (goal.reaches === 'unpublished' && !row.computer.reading.ports?.length) return false;
	return allowanceInPhase(operation, row.computer.phase).isAllowed;
}

const isCancelOffered = (scene: Scene) =>
	scene.canChange && !scene.replay && isCountingDown(scene) && isViewContext(scene.keyContext);

/** Says what the next press of Esc does. Each press does one thing: it cancels, closes, unmarks or clears. */
function escapeHint(scene: Scene): string | undefined {
	const { keyContext, screen } = scene;
	const filter = currentFilter(screen);
	if (keyContext === 'columns') return 'close';
	if (isCancelOffered(scene)) return 'cancel';
	if (failureOf(scene) && isViewContext(keyContext)) return 'clear failure';
	if (!isTableContext(keyContext))
		return filter !== '' && isViewContext(keyContext) ? 'clear filter' : 'back';
	if (screen.isDetailOpen) return 'back';
	if (screen.marks.size > 0) return 'unmark all';
	if (screen.viewsBehind.length > 0) return 'back';
	if (isMap(screen) && filter === '') return 'table';
	return filter !== '' ? 'clear filter' : undefined;
}
