import { orderChoicesText } from '../../views/frame/footer.ts';
import {
	isFieldPlace,
	isMenuPlace,
	isViewPlace,
	keyHint,
	outerPlaceOf,
	type Place,
	places,
	shownKey,
} from '../../views/keys.ts';
import type { MessageParts } from '../../views/look/screen.ts';
import type { Action, Effect, Scene } from '../../views/scene.ts';
import { editing } from './fields.ts';

export function effectAt(
	actions: readonly Action[],
	place: Place,
	key: string,
): Effect | undefined {
	// A text field must accept every letter, even a letter that is bound to an action everywhere else.
	const letter = isFieldPlace(place) ? letterOf(key) : undefined;
	if (letter !== undefined) return editing({ type: 'insert', text: letter });
	const bound = actions.filter(({ keys }) => keys.includes(key));
	const inPlace = (each: Place | 'everywhere' | undefined) =>
		bound.find(({ where }) => where.some(one => one === each));
	return inPlace(place) ?? inPlace(outerPlaceOf(place)) ?? inPlace('everywhere');
}

function checkKeys(actions: readonly Action[]) {
	const everywhere = actions.filter(({ where }) => where.includes('everywhere'));
	for (const place of places) {
		const own = actions.filter(({ where }) => where.includes(place));
		const replaced = own.flatMap(each => (each.isInPlaceOfEverywhere ? each.keys : []));
		const keys = [
			...own.flatMap(each => each.keys),
			...everywhere.flatMap(each => each.keys).filter(key => !replaced.includes(key)),
		].filter(key => !isFieldPlace(place) || letterOf(key) === undefined);
		const twice = keys.find((key, at) => keys.indexOf(key) !== at);
		if (twice === undefined) continue;
		const ids = [...own, ...everywhere].flatMap(each => (each.keys.includes(twice) ? each.id : []));
		const where = `${place}: to ${ids.join(' and ')}`;
		throw new KeyOverrideError(`the key ${twice} is bound twice in ${where}`);
	}
}

function letterOf(key: string): string | undefined {
	const letter = key === 'space' ? ' ' : key;
	return Array.from(letter).length === 1 ? letter : undefined;
}

/** A view or a menu says that a key does nothing; a dialog ignores it. */
export const effectOfKey = ({ actions, place }: Scene, key: string): Effect | undefined =>
	effectAt(actions, place, key) ?? (isTold(place) ? unboundKey(key) : undefined);

export function effectOfPaste(text: string, place: Place): Effect | undefined {
	if (isFieldPlace(place)) return editing({ type: 'paste', text });
	return isTold(place) ? refusedPaste : undefined;
}

const isTold = (place: Place) => isViewPlace(place) || isMenuPlace(place);

const refusedPaste: Effect = {
	id: 'refusedPaste',
	run: ({ say }) => say('Nothing was pasted: a paste needs a text field'),
};

const unboundKey = (key: string): Effect => ({
	id: 'unboundKey',
	run: ({ scene, say }) => say(unboundKeyText(scene(), key)),
});

function unboundKeyText({ actions, accounts, place }: Scene, key: string): string | MessageParts {
	const text = `${shownKey(key)} does nothing here`;
	// The message may stand in the place of the menu.
	if (place === 'order')
		return `${shownKey(key)} chooses no order: ${orderChoicesText(actions, accounts.length > 1)}`;
	if (place === 'columns') {
		const here = actions.filter(({ where }) => where.includes(place));
		const keys = here.flatMap(action => action.keys.slice(0, 1));
		return `${text}: ${[...new Set(keys)].map(shownKey).join(' ')}`;
	}
	const [id, does] = place === 'help' ? ['back', 'closes'] : ['help', 'help'];
	return { why: text, advice: keyHint({ actions }, id, does, ' · ') };
}

export class KeyOverrideError extends Error {}

export function withKeyOverrides(
	actions: readonly Action[],
	overrides: readonly { action: string; keys: readonly string[] }[],
): readonly Action[] {
	let all = actions;
	for (const { action: id, keys } of overrides) {
		const chosen = all.filter(each => each.id === id);
		if (chosen.length === 0) {
			const names = [...new Set(actions.map(each => each.id))].sort().join(', ');
			throw new KeyOverrideError(`there is no action ${id}; use one of ${names}`);
		}
		if (id === 'yes' && keys.includes('enter'))
			throw new KeyOverrideError('Enter alone never says yes to a question');
		const letter = keys.find(key => letterOf(key) !== undefined);
		const isForTyping = chosen.some(({ where }) => where.every(isFieldPlace));
		if (letter !== undefined && isForTyping)
			throw new KeyOverrideError(`the key ${letter} of ${id} types a letter in text fields`);
		all = all.map(each => {
			const { fixedKeys = [] } = each;
			return each.id === id ? { ...each, keys: [...new Set([...keys, ...fixedKeys])] } : each;
		});
	}
	checkKeys(all);
	return all;
}
