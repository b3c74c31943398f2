import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import type { Binding, Intent, KeyContext } from '../../keys/binding.ts';
import { homeView, views } from '../../screen/view-table.ts';
import { firstNamesAndCount } from '../phrases/words.ts';
import type { Typed } from './fuzzy-match.ts';
import { itemIfMatching, type PaletteSource, type RankedItem } from './palette-item.ts';

/**
 * Returns the actions of the keys whose label matches. Refused actions appear only in a search, so that a person who
 * looks for one reads the reason instead of picking another action.
 */
export function commandItems(
	{ bindings, targetNames }: Pick<PaletteSource, 'bindings' | 'targetNames'>,
	typed: Typed,
): readonly RankedItem[] {
	return bindings.flatMap(binding => {
		const { action, intent, keys, help, isRefused = false } = binding;
		const place = placeOf(binding);
		if (place === undefined || isKeyOnly(intent)) return [];
		if (isRefused && typed.words.length === 0) return [];
		const label = labelOf(intent, help);
		const item = {
			id: `key ${action}`,
			label,
			note: noteOf(intent, targetNames),
			key: keys[0] ?? '',
			completion: label.split(':')[0] ?? label,
			intent,
			view: place === homeView ? undefined : place,
			isRefused,
		};
		return itemIfMatching(item, typed);
	});
}

/** Returns the view in which the action works; undefined for an action of a dialog or a text field. */
function placeOf({ contexts }: Binding) {
	const isAnywhere = contexts.includes('everywhere') || contexts.some(each => isMenu(each));
	return isAnywhere ? homeView : views.find(view => contexts.includes(view));
}

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
];
const keyOnlyMoves = ['step', 'page', 'end', 'back', 'close', 'nextView', 'open', 'markOnward'];

function isKeyOnly(intent: Intent): boolean {
	if (intent.type === 'move') return keyOnlyMoves.includes(intent.move.type);
	return keyOnlyIntents.includes(intent.type);
}

function labelOf(intent: Intent, help: string): string {
	if (intent.type === 'ask') return `${operationRowOf(intent.operation).label}: ${help}`;
	return help.slice(0, 1).toUpperCase() + help.slice(1);
}

/** Names the computers to which an operation would apply. */
function noteOf(intent: Intent, targetNames: readonly string[]): string {
	if (intent.type !== 'ask' || intent.targets !== undefined) return '';
	const { subject } = operationRowOf(intent.operation);
	return subject === 'account' ? '' : firstNamesAndCount(targetNames, 1);
}
