import type { View } from '../../screen/view-table.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { Effect, Scene } from '../scene.ts';
import { matchText, type TextMatch, type TypedText } from './match.ts';

/** One line of the palette. Its id stays the same when other lines come and go, so that Enter runs the line that was seen. */
export type PaletteItem = Pick<Effect, 'id' | 'run'> & {
	label: string;
	/** The places of the letters of the label that the typed text matches. */
	places: readonly number[];
	/** More about it, such as the status of a computer or the targets of an operation. */
	note: string;
	/** The keys that do the same from here; empty if there are none. */
	key: string;
	/** The text that Tab puts into the line. */
	completion: string;
	/** The view to which the item leads before it runs; undefined for the current view. */
	view: View | undefined;
	isRefused: boolean;
	/** Whether a name is missing, which Enter asks for by completing the line. */
	isUnfinished: boolean;
};

/** An item with how well it matches. Among equal matches the order of the list decides. */
export type RankedItem = PaletteItem & Pick<TextMatch, 'score' | 'isGuess'>;

/** Everything that the palette searches. */
export type PaletteSource = Pick<Scene, 'actions' | 'screen' | 'canChange' | 'replay'> & {
	text: string;
	typed: TypedText;
	/** The short names of the accounts by account; empty if the table has one account. */
	accountNames: ReadonlyMap<string, string>;
	/** The rows of all computers, in the order of the table. */
	rows: readonly FleetRow[];
	/** The rows that the filter of the table shows. */
	shownRows: readonly FleetRow[];
	/** What an operation in the table would apply to: the marked computers, or the one under the cursor. */
	targets: readonly FleetRow[];
	/** The targets, or the computer under the cursor of another view. */
	subjects: readonly FleetRow[];
};

type ItemParts = Pick<PaletteItem, 'id' | 'label' | 'run'> & Partial<PaletteItem>;

/** Returns the item if its label, or else one of its further words, matches the typed text. The penalty moves it down. */
export function itemsMatching(
	parts: ItemParts,
	typed: TypedText,
	penalty = 0,
	words = '',
): readonly RankedItem[] {
	const { label, completion = label } = parts;
	const match =
		typed.words.length === 0
			? emptyMatch
			: (matchText(label, typed, completion.length) ?? matchOfWords(words, typed));
	return match ? [rankedItem(parts, match, penalty)] : [];
}

export function rankedItem(parts: ItemParts, match: TextMatch, penalty = 0): RankedItem {
	return {
		note: '',
		key: '',
		view: undefined,
		isRefused: false,
		isUnfinished: false,
		completion: parts.label,
		...parts,
		...match,
		score: match.score - penalty,
	};
}

const emptyMatch: TextMatch = { score: 0, places: [], isGuess: false };

// A match that the item does not show comes after the names of computers that begin with the typed text.
const unseenWordsScore = 3;

function matchOfWords(words: string, { words: typed }: TypedText): TextMatch | undefined {
	const isFound = typed.every(each => words.split(' ').some(word => word.startsWith(each)));
	return isFound ? { ...emptyMatch, score: unseenWordsScore } : undefined;
}
