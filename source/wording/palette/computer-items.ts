import type { OperationId } from '../../fleet/operations/operation.ts';
import { allowanceOf, operationRowOf } from '../../fleet/operations/operation-table.ts';
import type { Binding, Intent } from '../../keys/binding.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { statusWord } from '../../views/fleet/status.ts';
import {
	fuzzyMatch,
	mayMatch,
	splitTypedText,
	type TextMatch,
	type TypedText,
} from './fuzzy-match.ts';
import type { PaletteSource, RankedItem } from './palette-item.ts';

/**
 * The most computers in the list. Nobody reads a longer list, and it would be composed again at every typed letter.
 */
const maxComputers = 100;

// What is subtracted from the score of a match: for an operation whose name was typed, for one that is only suggested,
// and then for one that seldom helps, that needs a typed confirmation, or that the computer does not accept.
const penalties = {
	operation: 0.01,
	untypedOperation: 1.2,
	seldomHelps: 0.5,
	untypedGraveOperation: 0.6,
	refused: 0.7,
};

type AccountNames = PaletteSource['accountNames'];

type Found = {
	row: FleetRow;
	name: string;
	match: TextMatch;
	/** Whether another computer that was found has the same name. */
	isNameShared: boolean;
};

/** Returns the computers whose name matches, and operations on them: `vega`, `stop vega`. */
export function computerItems(source: PaletteSource, typed: TypedText): readonly RankedItem[] {
	if (typed.words.length === 0) return [];
	const { rows, accountNames } = source;
	const found = computersFound(rows, typed);
	const [best, ...others] = found;
	// Operations on the best match are suggested, unless another name matches equally well.
	const isClear = best && (others[0]?.match.score ?? 0) < best.match.score;
	return [
		...found.map(each => goToItem(each, accountNames)),
		...(isClear
			? operationsIn(source.bindings)
					.map(operation => operationItem(operation, best, accountNames, undefined))
					.filter(({ isRefused }) => !isRefused)
			: []),
		...operationItems(source, typed),
	];
}

/** Returns the best matches. The cheap check for the typed letters rules out most computers. */
function computersFound(rows: readonly FleetRow[], typed: TypedText): readonly Found[] {
	const found: Found[] = [];
	for (const row of rows) {
		const name = row.computer.reading.name ?? row.computer.id;
		const lowerCaseName = name.toLowerCase();
		// One letter is part of almost every name, so it finds only the names that begin with it.
		const { letters } = typed;
		if (letters.length === 1 && !lowerCaseName.startsWith(letters)) continue;
		if (!mayMatch(lowerCaseName, typed)) continue;
		const match = fuzzyMatch(name, typed);
		if (match) found.push({ row, name, match, isNameShared: false });
	}
	const best = found
		.sort((one, other) => other.match.score - one.match.score)
		.slice(0, maxComputers);
	const names = best.map(({ name }) => name);
	const isShared = (name: string) => names.indexOf(name) !== names.lastIndexOf(name);
	return best.map(each => ({ ...each, isNameShared: isShared(each.name) }));
}

function goToItem(found: Found, accountNames: AccountNames): RankedItem {
	const { row, name, match } = found;
	return {
		id: `computer ${row.id}`,
		label: name,
		note: noteOf(found, accountNames),
		key: '',
		completion: name,
		intent: { type: 'showComputer', id: row.id },
		view: undefined,
		isRefused: false,
		...match,
	};
}

const noteOf = ({ row, isNameShared }: Found, accountNames: AccountNames) => {
	const { id, reading } = row.computer;
	const status = statusWord(reading.status ?? null);
	return [isNameShared ? id : undefined, accountNames.get(row.account), status]
		.filter(part => part !== undefined)
		.join(' · ');
};

type AskBinding = Binding & { intent: Extract<Intent, { type: 'ask' }> };

/** Returns the keys of operations on computers that the person may ask for here. */
export const operationsIn = (bindings: readonly Binding[]): readonly AskBinding[] =>
	bindings.filter((binding): binding is AskBinding => {
		const { intent, isRefused } = binding;
		if (intent.type !== 'ask' || intent.targets !== undefined || isRefused) return false;
		return operationRowOf(intent.operation).subject !== 'account';
	});

/** Returns operations on computers for a typed text such as `stp veg` or `vega stop`, whose first or last word is the operation. */
function operationItems({ bindings, rows, accountNames }: PaletteSource, typed: TypedText) {
	const { words } = typed;
	if (words.length < 2) return [];
	const operations = operationsIn(bindings);
	const isFirst = operationsNamed(operations, words[0] ?? '').length > 0;
	const verb = isFirst ? words[0] : words.at(-1);
	const named = operationsNamed(operations, verb ?? '');
	if (named.length === 0) return [];
	const rest = isFirst ? words.slice(1) : words.slice(0, -1);
	const found = computersFound(rows, splitTypedText(rest.join(' ')));
	return named.flatMap(({ operation, match }) =>
		found.map(each => operationItem(operation, each, accountNames, match)),
	);
}

function operationsNamed(operations: readonly AskBinding[], verb: string) {
	return operations.flatMap(operation => {
		const match = fuzzyMatch(
			operationRowOf(operation.intent.operation).label,
			splitTypedText(verb),
		);
		return match ? [{ operation, match }] : [];
	});
}

function operationItem(
	{ intent }: AskBinding,
	found: Found,
	accountNames: AccountNames,
	/** Returns how well the typed text matches the operation; undefined if it does not match. */
	verbMatch: TextMatch | undefined,
): RankedItem {
	const { row, name, match } = found;
	const { operation } = intent;
	const verb = operationRowOf(operation).label;
	const allowance = allowanceOf(operation, row.computer, undefined);
	const helpPenalty = helpPenaltyOf(operation, row, allowance.isAllowed, verbMatch !== undefined);
	const typingPenalty = verbMatch ? penalties.operation : penalties.untypedOperation;
	const quality = Math.min(match.score, verbMatch?.score ?? match.score);
	const places = match.places.map(place => place + verb.length + 1);
	return {
		id: `${operation} ${row.id}`,
		label: `${verb} ${name}`,
		note: allowance.isAllowed ? noteOf(found, accountNames) : allowance.reason,
		// A key would do it to the computer under the cursor.
		key: '',
		completion: `${verb.toLowerCase()} ${name}`,
		intent: { ...intent, targets: [row.id] },
		view: undefined,
		isRefused: !allowance.isAllowed,
		score: quality - typingPenalty - helpPenalty,
		isGuess: match.isGuess || (verbMatch?.isGuess ?? false),
		places: [...(verbMatch?.places ?? []), ...places],
	};
}

function helpPenaltyOf(
	operation: OperationId,
	{ computer }: FleetRow,
	isAllowed: boolean,
	isTyped: boolean,
): number {
	if (!isAllowed) return penalties.refused;
	const { asks, seldomHelpsIn = [] } = operationRowOf(operation);
	if (!isTyped && asks === 'type') return penalties.untypedGraveOperation;
	return seldomHelpsIn.includes(computer.phase) ? penalties.seldomHelps : 0;
}
