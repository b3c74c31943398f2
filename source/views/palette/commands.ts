import type { OperationId } from '../../fleet/operations/operation.ts';
import { allowanceOf, operationRowOf } from '../../fleet/operations/operation-table.ts';
import type { Binding, Intent, KeyContext } from '../../keys/binding.ts';
import type { Move } from '../../screen/move.ts';
import { homeView, isTextView, type View, views } from '../../screen/view-table.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { firstNamesAndCount } from '../phrases/words.ts';
import { itemsMatching, type PaletteItem, type PaletteSource, type RankedItem } from './item.ts';

// What is subtracted from the score of an action: if it works in another view, if its targets do not accept it, and
// if it seldom helps its targets.
const penalties = { elsewhere: 0.01, refused: 0.3, seldomHelps: 0.2 };

/**
 * Returns the actions of keys. An action that is refused appears only in a search, so that a person who searches for it
 * reads the reason, and does not choose another action instead.
 */
export function commandItems(source: PaletteSource): readonly RankedItem[] {
	const { bindings, typed, screen } = source;
	return bindings.flatMap(binding => {
		const { action, intent, help, words } = binding;
		const place = placeOf(binding, screen.view);
		if (place === undefined || isKeyOnly(intent)) return [];
		const aimed = aimedAction(binding, place, source);
		if (!aimed || (aimed.isRefused && typed.words.length === 0)) return [];
		const label = labelOf(intent, help);
		const refusal = isOnTargets(intent)
			? refusalOfAll(intent.operation, source.subjects)
			: undefined;
		const item = {
			id: `key ${action}`,
			label,
			key: aimed.isOnLine ? '' : keysFromHere(binding, place, source),
			words,
			completion: nameOf(intent) ?? label.split(':')[0] ?? label,
			intent: aimed.intent,
			note: refusal ?? aimed.note,
			view: aimed.view,
			isRefused: aimed.isRefused || refusal !== undefined,
		};
		const elsewhere = aimed.view ? penalties.elsewhere : 0;
		return itemsMatching(item, typed, elsewhere + penaltyOf(intent, refusal, source));
	});
}

type Asking = Extract<Intent, { type: 'ask' }>;

const isOnTargets = (intent: Intent): intent is Asking =>
	intent.type === 'ask' && intent.targets === undefined;

/** Returns why no computer accepts the operation; undefined if one accepts it. */
function refusalOfAll(operation: OperationId, rows: readonly FleetRow[]): string | undefined {
	if (operationRowOf(operation).subject === 'account') return undefined;
	const reasons = new Set<string>();
	for (const { computer } of rows) {
		const allowance = allowanceOf(operation, computer, undefined);
		if (allowance.isAllowed) return undefined;
		reasons.add(allowance.reason);
	}
	const [reason, ...others] = reasons;
	return others.length > 0 ? 'none accepts it now' : reason;
}

/** An operation that would not help the computers to which it would apply is listed after other operations. */
function penaltyOf(
	intent: Intent,
	refusal: string | undefined,
	{ subjects }: PaletteSource,
): number {
	if (!isOnTargets(intent) || subjects.length === 0) return 0;
	if (refusal !== undefined) return penalties.refused;
	const { seldomHelpsIn = [] } = operationRowOf(intent.operation);
	const helps = subjects.some(({ computer }) => !seldomHelpsIn.includes(computer.phase));
	return helps ? 0 : penalties.seldomHelps;
}

/** Returns the view in which the action works, if possible the current one; undefined for an action of a dialog or a field. */
function placeOf({ contexts }: Binding, current: View): View | undefined {
	if (contexts.includes(current) || contexts.includes('everywhere')) return current;
	return contexts.some(isMenu) ? homeView : views.find(view => contexts.includes(view));
}

/** Names the keys that do it from the current view, as in `o n`; empty if one of them is not bound. */
function keysFromHere(
	{ keys: [key], contexts }: Binding,
	place: View,
	{ bindings, screen: { view } }: PaletteSource,
): string {
	const keyOf = (name: string) => bindings.find(({ action }) => action === name)?.keys[0];
	const menu = contexts.find(isMenu);
	const path = [
		...(place === view ? [] : [keyOf(place)]),
		...(menu === undefined ? [] : [keyOf(menu)]),
		key,
	];
	return path.includes(undefined) ? '' : path.join(' ');
}

type Aimed = Pick<PaletteItem, 'intent' | 'note' | 'view' | 'isRefused'> & {
	/** Whether it works on the computer of a line, which no key does. */
	isOnLine?: boolean;
};

/**
 * Points an action at the thing under the cursor of the current view. In a text view, an action on computers works on
 * the computer that the line is about, without leaving the view. Any other action on a line is offered only in its
 * own view, because a person does not see the cursors of other views.
 */
function aimedAction(
	{ intent, isRefused = false }: Binding,
	place: View,
	{ targets, screen: { view, palette } }: PaletteSource,
): Aimed | undefined {
	const isElsewhere = place !== view;
	const there = { intent, note: '', view: isElsewhere ? place : undefined, isRefused };
	const subject = subjectOf(intent);
	if (subject === 'line') return isElsewhere ? undefined : there;
	if (subject === undefined) return there;
	const names = targets.map(({ computer }) => computer.reading.name ?? computer.id);
	if (!isElsewhere || !isTextView(view)) return { ...there, note: firstNamesAndCount(names, 1) };
	const under = palette?.under;
	return {
		intent: { ...intent, targets: under ? [under.id] : [] } as Intent,
		note: under?.name ?? 'no computer here',
		view: undefined,
		isRefused: isRefused || !under,
		isOnLine: true,
	};
}

/** Returns what the intent works on: computers in sight, or a line of the view; undefined if the view does not matter. */
function subjectOf(intent: Intent): 'computers' | 'line' | undefined {
	switch (intent.type) {
		case 'ask':
			return isOnTargets(intent) && operationRowOf(intent.operation).subject !== 'account'
				? 'computers'
				: undefined;
		case 'checkPorts':
			return 'computers';
		case 'copy':
			if (intent.content === 'payment') return undefined;
			return intent.content === 'line' ? 'line' : 'computers';
		case 'move':
			return lineMoves.includes(intent.move.type) ? 'line' : undefined;
		default:
			return lineIntents.includes(intent.type) ? 'line' : undefined;
	}
}

const lineMoves: readonly Move['type'][] = ['open', 'mark', 'markRange', 'markAll', 'markOthers'];
const lineIntents: readonly Intent['type'][] = ['retry', 'cancelUnsent'];

/** The menu whose choices the palette offers as well. */
const isMenu = (context: KeyContext | 'everywhere') => context === 'order';

// These intents and moves make sense only as keys.
const keyOnlyIntents: readonly Intent['type'][] = [
	'palette',
	'redraw',
	'suspend',
	'closeOrQuit',
	'unboundKey',
	'refusedPaste',
];
const keyOnlyMoves: readonly Move['type'][] = [
	'step',
	'page',
	'end',
	'back',
	'close',
	'nextView',
	'markOnward',
];

const isKeyOnly = (intent: Intent) =>
	intent.type === 'move'
		? keyOnlyMoves.includes(intent.move.type)
		: keyOnlyIntents.includes(intent.type);

/** Names the action. An operation is named by its label, unless its help begins with the same word. */
function labelOf(intent: Intent, help: string): string {
	const name = nameOf(intent);
	if (name !== undefined && !help.startsWith(`${name.toLowerCase()} `)) return `${name}: ${help}`;
	return help.slice(0, 1).toUpperCase() + help.slice(1);
}

const nameOf = (intent: Intent) =>
	intent.type === 'ask' ? operationRowOf(intent.operation).label : undefined;
