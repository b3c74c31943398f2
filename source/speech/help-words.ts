import type { Binding } from '../keys/binding.ts';
import { type HelpContext, helpHeadings } from '../keys/key-context.ts';
import type { View } from '../screen/view-table.ts';

const spokenKeyNames: Readonly<Record<string, string>> = {
	'/': 'slash',
	':': 'colon',
	'?': 'question mark',
	'<': 'less than',
	'>': 'greater than',
	'=': 'equals sign',
	'*': 'star',
	space: 'the space bar',
	up: 'arrow up',
	down: 'arrow down',
	pageup: 'page up',
	pagedown: 'page down',
};

/**
 * Returns the spoken name of a key. "capital" precedes a capital letter, because many screen readers do not
 * distinguish capitals.
 */
export function keyWords(key: string): string {
	if (/^[A-Z]$/.test(key)) return `capital ${key}`;
	return spokenKeyNames[key] ?? key.replace('ctrl-', 'control ').replace('shift-', 'shift ');
}

/** Lists each key and its effect once, starting with the keys of the current view. */
export function helpWords(bindings: readonly Binding[], currentView: View): readonly string[] {
	const listed = new Set<Binding>();
	const linesIn = (place: HelpContext) => {
		const placeBindings = bindings.filter(
			binding =>
				!binding.isRefused &&
				binding.keys.length > 0 &&
				!listed.has(binding) &&
				binding.contexts.some(each => each === place || each === 'everywhere'),
		);
		for (const binding of placeBindings) listed.add(binding);
		return placeBindings.map(({ keys, help }) => `${keys.map(keyWords).join(' or ')}: ${help}.`);
	};
	return [
		'Keys here:',
		...linesIn(currentView),
		...helpHeadings.flatMap(([place, title]) => {
			const lines = linesIn(place);
			return lines.length > 0 ? [`${title}:`, ...lines] : [];
		}),
	];
}
