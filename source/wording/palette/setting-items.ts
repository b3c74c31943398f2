import type { ChangeableSetting } from '../../screen/changeable-setting.ts';
import { fuzzyMatch, type TypedText } from './fuzzy-match.ts';
import type { PaletteSource, RankedItem } from './palette-item.ts';

/** Returns the settings that can be changed at once, with the present value and the next: `Share: full → half`. */
export const settingItems = ({ screen }: PaletteSource, typed: TypedText): readonly RankedItem[] =>
	screen.settings.flatMap(setting => setting.words.flatMap(word => itemFor(setting, word, typed)));

/**
 * Compares the typed text with the label and the new value only, so that `theme light` never finds a change to another
 * theme. The word `setting` finds all.
 */
function itemFor(
	{ name, label, note, present, isRefused }: ChangeableSetting,
	word: string,
	typed: TypedText,
): readonly RankedItem[] {
	const named = `${label} ${word}`;
	const match = fuzzyMatch(`${named} setting`, typed, label.length);
	if (!match) return [];
	const isPresent = word === present;
	const before = isPresent ? `${label}: ` : `${label}: ${present} → `;
	const shift = before.length - label.length - 1;
	return [
		{
			id: `setting ${name} ${word}`,
			label: `${before}${word}`,
			note: isPresent ? 'now' : note,
			key: '',
			completion: named.toLowerCase(),
			intent: { type: 'chooseSetting', name, word },
			view: undefined,
			isRefused,
			// The item with the present value comes after the items that change the setting.
			score: match.score - (isPresent ? 0.01 : 0),
			isGuess: match.isGuess,
			places: match.places
				.filter(place => place < named.length)
				.map(place => (place > label.length ? place + shift : place)),
		},
	];
}
