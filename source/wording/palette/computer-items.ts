import { allowanceInPhase, operationRowOf } from '../../fleet/operations/operation-table.ts';
import type { Binding, Intent } from '../../keys/binding.ts';
import { homeView } from '../../screen/view-table.ts';
import type { Row } from '../../store/selectors.ts';
import { statusWord } from '../table/status-text.ts';
import { fuzzyMatch, type Match, mayMatch, type Typed, typedFrom } from './fuzzy-match.ts';
import type { PaletteSource, RankedItem } from './palette-item.ts';

/** A person reads no longer list, and every line costs time with every letter. */
const maxComputers = 100;

// How much worse a line is than the same match of a computer: a typed operation, an operation that was not typed and
// follows the names, and an operation that the status of the computer does not allow.
const penalties = { operation: 0.01, untypedOperation: 1.2, refusedOperation: 0.5 };

type AccountNames = PaletteSource['accountNames'];

type Found = { row: Row; name: string; match: Match };

/** Returns the computers whose name matches, and operations on them: `vega`, `stop vega`. */
export function computerItems(source: PaletteSource, typed: Typed): readonly RankedItem[] {
	if (typed.words.length === 0) return [];
	const { rows, accountNames } = source;
	const found = computersFound(rows, typed);
	const [best, ...others] = found;
	// The best name is followed by what can be done to that computer, unless another name is as good.
	const isClear = best && (others[0]?.match.score ?? 0) < best.match.score;
	return [
		...found.map(each => goToItem(each, accountNames)),
		...(isClear
			? operationsIn(source.bindings).map(operation =>
					operationItem(operation, best, accountNames, 0),
				)
			: []),
		...operationItems(source, typed),
	];
}

/** Returns the best matches. Each computer is looked at once at most, and most only for their letters. */
function computersFound(rows: readonly Row[], typed: Typed): readonly Found[] {
	const found: Found[] = [];
	for (const row of rows) {
		const name = row.computer.reading.name ?? row.computer.id;
		const lowerCaseName = name.toLowerCase();
		// One letter is part of almost every name, so it finds only the names that begin with it.
		const { letters } = typed;
		if (letters.length === 1 && !lowerCaseName.startsWith(letters)) continue;
		if (!mayMatch(lowerCaseName, typed)) continue;
		const match = fuzzyMatch(name, typed);
		if (match) found.push({ row, name, match });
	}
	return found.sort((one, other) => other.match.score - one.match.score).slice(0, maxComputers);
}

function goToItem({ row, name, match }: Found, accountNames: AccountNames): RankedItem {
	return {
		id: `computer ${row.id}`,
		label: name,
		note: noteOf(row, accountNames),
		key: '',
		completion: name,
		intent: { type: 'showComputer', id: row.id },
		view: homeView,
		isRefused: false,
		...match,
	};
}

const noteOf = (row: Row, accountNames: AccountNames) => {
	const account = accountNames.get(row.account);
	const status = statusWord(row.computer.reading.status ?? null);
	return account === undefined ? status : `${account} · ${status}`;
};

type AskBinding = Binding & { intent: Extract<Intent, { type: 'ask' }> };

const operationsIn = (bindings: readonly Binding[]): readonly AskBinding[] =>
	bindings.filter((binding): binding is AskBinding => {
		const { intent, isRefused } = binding;
		if (intent.type !== 'ask' || intent.targets !== undefined || isRefused) return false;
		return operationRowOf(intent.operation).subject !== 'account';
	});

/** Returns operations on computers for a typed text such as `stop ve`: the operation first, then the name. */
function operationItems({ bindings, rows, accountNames }: PaletteSource, typed: Typed) {
	const [verb = '', ...rest] = typed.words;
	if (rest.length === 0) return [];
	const operations = operationsIn(bindings).filter(({ intent }) =>
		operationRowOf(intent.operation).label.toLowerCase().startsWith(verb),
	);
	if (operations.length === 0) return [];
	const found = computersFound(rows, typedFrom(rest.join(' ')));
	return operations.flatMap(operation =>
		found.map(each => operationItem(operation, each, accountNames, verb.length)),
	);
}

function operationItem(
	{ intent, keys }: AskBinding,
	{ row, name, match }: Found,
	accountNames: AccountNames,
	verbLength: number,
): RankedItem {
	const { operation } = intent;
	const verb = operationRowOf(operation).label;
	const { isAllowed } = allowanceInPhase(operation, row.computer.phase);
	const typingPenalty = verbLength > 0 ? penalties.operation : penalties.untypedOperation;
	const places = match.places.map(place => place + verb.length + 1);
	return {
		id: `${operation} ${row.id}`,
		label: `${verb} ${name}`,
		note: noteOf(row, accountNames),
		key: keys[0] ?? '',
		completion: `${verb.toLowerCase()} ${name}`,
		intent: { ...intent, targets: [row.id] },
		view: homeView,
		isRefused: !isAllowed,
		score: match.score - typingPenalty - (isAllowed ? 0 : penalties.refusedOperation),
		places: [...Array.from({ length: verbLength }, (_, at) => at), ...places],
	};
}
