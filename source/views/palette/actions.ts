import { computerName } from '../../fleet/computers/computer.ts';
import type { OperationId } from '../../fleet/operations/operation.ts';
import { allowanceOf, operationRowOf } from '../../fleet/operations/operation-table.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { runUnlessRefused } from '../actions/effects.ts';
import { homeView, isTextView, type View, views } from '../look/view-table.ts';
import { firstNamesAndCount } from '../phrases/words.ts';
import type { Action } from '../scene.ts';
import type { PaletteItem, PaletteSource } from './item.ts';

// Subtracted from the score of an action.
const penalties = { elsewhere: 0.01, refused: 0.3, seldomHelps: 0.2 };

/** A refused action appears only in a search, so that a person reads the reason and does not choose another one instead. */
export function actionItems(source: PaletteSource): readonly PaletteItem[] {
	const { actions, typed, screen, subjects } = source;
	return actions.flatMap((action): readonly PaletteItem[] => {
		const place = placeOf(action, screen.view);
		if (place === undefined || action.isKeyOnly) return [];
		const aimed = aimedAction(action, place, source);
		if (!aimed || (aimed.isRefused && typed.words.length === 0)) return [];
		const operation = operationOnTargets(action);
		const refusal = operation === undefined ? undefined : refusalOfAll(operation, subjects);
		const label = labelOf(action);
		const name = action.operation && operationRowOf(action.operation).label;
		const elsewhere = aimed.view ? penalties.elsewhere : 0;
		const seldom = operation === undefined ? 0 : penaltyOf(operation, refusal, subjects);
		return [
			{
				id: `key ${action.id}`,
				label,
				key: aimed.isOnLine ? '' : keysFromHere(action, place, source),
				completion: name ?? label.split(':')[0] ?? label,
				run: aimed.run,
				note: refusal ?? aimed.note,
				view: aimed.view,
				isRefused: aimed.isRefused || refusal !== undefined,
				words: action.words,
				penalty: elsewhere + seldom,
			},
		];
	});
}

const operationOnTargets = ({ operation, subject }: Action) =>
	subject === 'computers' ? operation : undefined;

function refusalOfAll(operation: OperationId, rows: readonly FleetRow[]): string | undefined {
	const reasons = new Set<string>();
	for (const { computer } of rows) {
		const allowance = allowanceOf(operation, computer, undefined);
		if (allowance.isAllowed) return undefined;
		reasons.add(allowance.reason);
	}
	const [reason, ...others] = reasons;
	return others.length > 0 ? 'none accepts it now' : reason;
}

function penaltyOf(
	operation: OperationId,
	refusal: string | undefined,
	subjects: readonly FleetRow[],
): number {
	if (subjects.length === 0) return 0;
	if (refusal !== undefined) return penalties.refused;
	const { seldomHelpsIn = [] } = operationRowOf(operation);
	const helps = subjects.some(({ computer }) => !seldomHelpsIn.includes(computer.phase));
	return helps ? 0 : penalties.seldomHelps;
}

/** The view in which the action works, if possible the current one; undefined for an action of a dialog or a field. */
function placeOf({ where }: Action, current: View): View | undefined {
	if (where.includes(current) || where.includes('everywhere')) return current;
	// The palette offers the choices of the menu of orders as well.
	return where.includes('order') ? homeView : views.find(view => where.includes(view));
}

/** Names the keys that do it from the current view, as in `o n`; empty if one of them is not bound. */
function keysFromHere(
	{ keys: [key], where }: Action,
	place: View,
	{ actions, screen }: PaletteSource,
): string {
	const keyOf = (name: string) => actions.find(({ id }) => id === name)?.keys[0];
	const path = [
		...(place === screen.view ? [] : [keyOf(place)]),
		...(where.includes('order') ? [keyOf('order')] : []),
		key,
	];
	return path.includes(undefined) ? '' : path.join(' ');
}

type Aimed = Pick<PaletteItem, 'run' | 'note' | 'view' | 'isRefused'> & {
	/** Whether it works on the computer of a line, which no key does. */
	isOnLine?: boolean;
};

/** Points an action at the thing under the cursor of this view. A person does not see the cursors of the other views. */
function aimedAction(action: Action, place: View, source: PaletteSource): Aimed | undefined {
	const { targets, screen } = source;
	const { view, open } = screen;
	const isElsewhere = place !== view;
	const isRefused = action.refusal?.(source) !== undefined;
	const there: Aimed = {
		run: context => runUnlessRefused(context, action),
		note: '',
		view: isElsewhere ? place : undefined,
		isRefused,
	};
	if (action.subject === 'line') return isElsewhere ? undefined : there;
	if (action.subject === undefined) return there;
	const names = targets.map(({ computer }) => computerName(computer));
	if (!isElsewhere || !isTextView(view)) return { ...there, note: firstNamesAndCount(names, 1) };
	const under = open?.kind === 'palette' ? open.under : undefined;
	const ids = under ? [under.id] : [];
	return {
		run: context => runUnlessRefused({ ...context, targets: ids }, action),
		note: under?.name ?? 'no computer here',
		view: undefined,
		isRefused: isRefused || !under,
		isOnLine: true,
	};
}

function labelOf({ operation, help }: Action): string {
	const name = operation && operationRowOf(operation).label;
	if (name !== undefined && !help.startsWith(`${name.toLowerCase()} `)) return `${name}: ${help}`;
	return help.slice(0, 1).toUpperCase() + help.slice(1);
}
