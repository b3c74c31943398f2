import type { Binding } from '../keys/binding.ts';
import type { KeyContext } from '../keys/key-context.ts';

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

const sectionTitles = {
	fleet: 'In the table',
	view: 'In the other views',
	billing: 'In billing',
	versions: 'In versions',
	filter: 'While typing a filter',
	palette: 'While typing a command',
} as const;

/** Lists each key and its effect once, starting with the keys of the current view. */
export function helpWords(bindings: readonly Binding[], here: KeyContext): readonly string[] {
	const listed = new Set<Binding>();
	const linesIn = (place: KeyContext) => {
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
	const others = (Object.keys(sectionTitles) as (keyof typeof sectionTitles)[]).filter(
		place => place !== here,
	);
	return [
		'Keys here:',
		...linesIn(here),
		...others.flatMap(place => {
			const lines = linesIn(place);
			return lines.length > 0 ? [`${sectionTitles[place]}:`, ...lines] : [];
		}),
	];
}
