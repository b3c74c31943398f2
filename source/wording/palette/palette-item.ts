import type { Phase } from '../../fleet/computers/computer.ts';
import type { OperationId } from '../../fleet/operations/operation.ts';
import type { Binding, Intent } from '../../keys/binding.ts';
import type { NamedComputer, Screen } from '../../screen/screen.ts';
import type { View } from '../../screen/view-table.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { fuzzyMatch, type TextMatch, type TypedText } from './fuzzy-match.ts';

/** One line of the palette. */
export type PaletteItem = {
	/**
	 * Identifies the line even when other lines appear or disappear, so that Enter runs the line that the person saw.
	 */
	id: string;
	label: string;
	/** The indexes of the letters of the label that the typed text matches. */
	places: readonly number[];
	/** Further information, such as the status of a computer or the targets of an operation. */
	note: string;
	/** The key that does the same; empty if there is none. */
	key: string;
	/** The text that Tab puts into the line. */
	completion: string;
	intent: Intent;
	/** The view to which the item leads before its intent is performed; undefined for the current view. */
	view: View | undefined;
	isRefused: boolean;
};

/** An item with the quality of its match. */
export type RankedItem = PaletteItem & Pick<TextMatch, 'score' | 'isGuess'>;

/** Everything that the palette searches. */
export type PaletteSource = {
	bindings: readonly Binding[];
	/** The short names of the accounts by account; empty if the table has one account. */
	accountNames: ReadonlyMap<string, string>;
	/** The rows of all computers, in the order of the table. */
	rows: readonly FleetRow[];
	/** The rows that the filter of the table shows. */
	shownRows: readonly FleetRow[];
	/** The view in which the palette was opened. */
	view: View;
	/**
	 * The names of the computers that an operation in the table would apply to: the marked ones, or the one under the
	 * cursor.
	 */
	targetNames: readonly string[];
	/** The phases of these computers. */
	targetPhases: readonly Phase[];
	/** The operations that none of these computers accepts, with the reason. */
	refusals: ReadonlyMap<OperationId, string>;
	/** The computer under the cursor of another view. */
	under: NamedComputer | undefined;
	screen: Pick<Screen, 'filters' | 'savedFilters' | 'lineHistories' | 'columns' | 'settings'>;
};

/** The parts of an item without its match. */
export type ItemParts = Pick<PaletteItem, 'id' | 'label' | 'intent'> &
	Partial<PaletteItem> & {
		/** More words by which the item is found. The label does not show them. */
		words?: string | undefined;
	};

/** Creates an item if its label or its further words match the typed text. */
export function itemIfMatching(
	{ words = '', ...parts }: ItemParts,
	typed: TypedText,
): readonly RankedItem[] {
	const { label, completion = label } = parts;
	const match =
		typed.words.length === 0
			? { score: 0, places: [], isGuess: false }
			: (fuzzyMatch(label, typed, completion.length) ?? matchOfWords(words, typed));
	return match ? [{ ...itemDefaults, completion, ...parts, ...match }] : [];
}

/** Compares a text with the words that an item does not show. Letters inside of a word do not count. */
function matchOfWords(words: string, { words: typed }: TypedText): TextMatch | undefined {
	const isFound = typed.every(each => words.split(' ').some(word => word.startsWith(each)));
	return isFound ? { score: unseenWordsScore, places: [], isGuess: false } : undefined;
}

// A match that the item does not show comes after the names of computers that begin with the typed text.
const unseenWordsScore = 3;

const itemDefaults = { note: '', key: '', view: undefined, isRefused: false };
