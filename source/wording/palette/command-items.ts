import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import type { Binding, Intent, KeyContext } from '../../keys/binding.ts';
import type { Move } from '../../screen/move.ts';
import { homeView, isTextView, type View, views } from '../../screen/view-table.ts';
import { firstNamesAndCount } from '../phrases/words.ts';
import type { TypedText } from './fuzzy-match.ts';
import {
	itemIfMatching,
	type PaletteItem,
	type PaletteSource,
	type RankedItem,
} from './palette-item.ts';

/**
 * Returns the actions of keys whose label matches. An action that is refused appears only in a search, so that a person
 * who searches for it reads the reason, and does not choose another action instead.
 */
export function commandItems(
	source: Pick<
		PaletteSource,
		'bindings' | 'view' | 'targetNames' | 'targetPhases' | 'refusals' | 'under'
	>,
	typed: TypedText,
): readonly RankedItem[] {
	return source.bindings.flatMap(binding => {
		const { action, intent, help, words } = binding;
		const place = placeOf(binding, source.view);
		if (place === undefined || isKeyOnly(intent)) return [];
		const aimed = aimedAction(binding, place, source);
		if (!aimed || (aimed.isRefused && typed.words.length === 0)) return [];
		const label = labelOf(intent, help);
		const item = {
			id: `key ${action}`,
			label,
			key: aimed.isOnLine ? '' : keysFromHere(binding, place, source),
			words,
			completion: nameOf(intent) ?? label.split(':')[0] ?? label,
			...aimed,
			...refusalOf(intent, source),
		};
		const penalty = penaltyOf(intent, source) + (aimed.view ? penalties.elsewhere : 0);
		return itemIfMatching(item, typed).map(each => ({ ...each, score: each.score - penalty }));
	});
}

// What is subtracted from the score of an action: if it works in another view, if its targets do not accept it, and
// if it seldom helps its targets.
const penalties = { elsewhere: 0.01, refused: 0.3, seldomHelps: 0.2 };

/** Marks an operation that no computer to which it would apply accepts, and says why. */
function refusalOf(
	intent: Intent,
	{ refusals }: Pick<PaletteSource, 'refusals'>,
): Partial<Pick<PaletteItem, 'note' | 'isRefused'>> {
	if (intent.type !== 'ask' || intent.targets !== undefined) return {};
	const note = refusals.get(intent.operation);
	return note === undefined ? {} : { note, isRefused: true };
}

/**
 * Returns the penalty of an operation that would not help the computers to which it would apply. It is then listed
 * after other operations.
 */
function penaltyOf(
	intent: Intent,
	{ targetPhases, refusals }: Pick<PaletteSource, 'targetPhases' | 'refusals'>,
): number {
	if (intent.type !== 'ask' || intent.targets !== undefined || targetPhases.length === 0) return 0;
	const { operation } = intent;
	if (refusals.has(operation)) return penalties.refused;
	const { seldomHelpsIn = [] } = operationRowOf(operation);
	return targetPhases.every(phase => seldomHelpsIn.includes(phase)) ? penalties.seldomHelps : 0;
}

/** Returns the view in which the action works, if possible the current one; undefined for an action of a dialog or a text field. */
function placeOf({ contexts }: Binding, current: View) {
	if (contexts.includes(current) || contexts.includes('everywhere')) return current;
	return contexts.some(each => isMenu(each))
		? homeView
		: views.find(view => contexts.includes(view));
}

/** Names the keys that do it from the current view, as in `o n`; empty if one of them is not bound. */
function keysFromHere(
	{ keys: [key], contexts }: Binding,
	place: View,
	{ bindings, view }: Pick<PaletteSource, 'bindings' | 'view'>,
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
	{ view, targetNames, under }: Pick<PaletteSource, 'view' | 'targetNames' | 'under'>,
): Aimed | undefined {
	const isElsewhere = place !== view;
	const there = { intent, note: '', view: isElsewhere ? place : undefined, isRefused };
	const subject = subjectOf(intent);
	if (subject === 'line') return isElsewhere ? undefined : there;
	if (subject !== 'computers') return there;
	const isOnLine = isElsewhere && isTextView(view);
	if (!isOnLine) return { ...there, note: firstNamesAndCount(targetNames, 1) };
	const targets = under ? [under.id] : [];
	const note = under?.name ?? 'no computer here';
	return {
		...there,
		intent: { ...intent, targets } as Intent,
		note,
		view: undefined,
		isRefused: isRefused || !under,
		isOnLine,
	};
}

/**
 * Returns what the intent works on: computers in sight, or a line of the view; undefined if the view does not matter.
 */
function subjectOf(intent: Intent): 'computers' | 'line' | undefined {
	switch (intent.type) {
		case 'ask': {
			const isOnComputers = operationRowOf(intent.operation).subject !== 'account';
			return isOnComputers && intent.targets === undefined ? 'computers' : undefined;
		}
		case 'checkPorts':
			return 'computers';
		case 'copy':
			return copySubjects[intent.content];
		case 'move':
			return lineMoves.includes(intent.move.type) ? 'line' : undefined;
		default:
			return lineIntents.includes(intent.type) ? 'line' : undefined;
	}
}

const copySubjects = {
	id: 'computers',
	address: 'computers',
	line: 'line',
	payment: undefined,
} as const;

const lineMoves: readonly Move['type'][] = [
	...(['open', 'mark', 'markRange', 'markAll', 'markOthers'] as const),
];
const lineIntents: readonly Intent['type'][] = ['retry', 'cancelUnsent'];

// Menus whose choices the palette offers as well.
const menus: readonly string[] = ['order'];

const isMenu = (context: KeyContext | 'everywhere') => menus.includes(context);

// The palette does not offer these intents and moves, because they make sense only as keys.
const keyOnlyIntents: readonly Intent['type'][] = [
	'palette',
	'redraw',
	'suspend',
	'closeOrQuit',
	'unboundKey',
	'refusedPaste',
];
const keyOnlyMoves = ['step', 'page', 'end', 'back', 'close', 'nextView', 'markOnward'];

function isKeyOnly(intent: Intent): boolean {
	if (intent.type === 'move') return keyOnlyMoves.includes(intent.move.type);
	return keyOnlyIntents.includes(intent.type);
}

/** Names the action. An operation is named by its label, unless its help begins with the same word. */
function labelOf(intent: Intent, help: string): string {
	const name = nameOf(intent);
	if (name !== undefined && !help.startsWith(`${name.toLowerCase()} `)) return `${name}: ${help}`;
	return help.slice(0, 1).toUpperCase() + help.slice(1);
}

const nameOf = (intent: Intent) =>
	intent.type === 'ask' ? operationRowOf(intent.operation).label : undefined;
