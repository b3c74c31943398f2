import { computerName } from '../../fleet/computers/computer.ts';
import { allowanceOf, operationRowOf } from '../../fleet/operations/operation-table.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { runUnlessRefused } from '../actions/effects.ts';
import { move } from '../actions/looking.ts';
import { statusWord } from '../fleet/status.ts';
import { showComputer } from '../look/views.ts';
import type { Action } from '../scene.ts';
import type { PaletteItem, PaletteSource } from './item.ts';
import { matchText, type TextMatch, type TypedText, typedTextFrom } from './match.ts';

/** Nobody reads a longer list of computers. */
const maxComputers = 100;

// Subtracted from the score of a match.
const penalties = {
	operation: 0.01,
	untypedOperation: 1.2,
	seldomHelps: 0.5,
	untypedGraveOperation: 0.6,
	refused: 0.7,
};

type Found = { row: FleetRow; name: string; note: string; match: TextMatch };

type OperationAction = Action & Required<Pick<Action, 'operation'>>;

/** Returns the computers whose name matches, and operations on them: `vega`, `stop vega`, `vega stop`. */
export function computerItems(source: PaletteSource): readonly PaletteItem[] {
	const found = computersFound(source, source.typed);
	const [best, second] = found;
	// Operations on the best match are suggested, unless another name matches equally well.
	const isClear = best !== undefined && (second?.match.score ?? 0) < best.match.score;
	const suggested = isClear
		? operationsIn(source).map(action => operationItem(action, best, undefined))
		: [];
	return [
		...found.map(({ row, name, note, match }) => ({
			id: `computer ${row.id}`,
			label: name,
			note,
			run: move(showComputer(row.id)),
			match,
		})),
		...suggested.filter(({ isRefused }) => !isRefused),
		...namedOperationItems(source),
	];
}

function computersFound({ rows, accountNames }: PaletteSource, typed: TypedText): readonly Found[] {
	const letters = typed.words.join('');
	const matches = rows.flatMap(row => {
		const name = computerName(row.computer);
		// One letter is part of almost every name, so it finds only the names that begin with it.
		if (letters.length === 1 && !name.toLowerCase().startsWith(letters)) return [];
		const match = matchText(name, typed);
		return match ? [{ row, name, match }] : [];
	});
	const best = matches.sort((one, other) => other.match.score - one.match.score);
	const listed = best.slice(0, maxComputers);
	const names = listed.map(({ name }) => name);
	return listed.map(each => {
		const { row, name } = each;
		const { id, reading } = row.computer;
		const isShared = names.indexOf(name) !== names.lastIndexOf(name);
		const status = statusWord(reading.status ?? null);
		const notes = [isShared ? id : undefined, accountNames.get(row.account), status];
		return { ...each, note: notes.filter(note => note !== undefined).join(' · ') };
	});
}

const operationsIn = (source: PaletteSource) =>
	source.actions.filter(
		(action): action is OperationAction =>
			action.operation !== undefined &&
			action.subject === 'computers' &&
			action.refusal?.(source) === undefined,
	);

/** Returns operations on computers for a typed text such as `stp veg`, whose first or last word is the operation. */
function namedOperationItems(source: PaletteSource): readonly PaletteItem[] {
	const { words } = source.typed;
	if (words.length < 2) return [];
	const named = (verb = '') =>
		operationsIn(source).flatMap(action => {
			const match = matchText(operationRowOf(action.operation).label, typedTextFrom(verb));
			return match ? [{ action, match }] : [];
		});
	const first = named(words[0]);
	const operations = first.length > 0 ? first : named(words.at(-1));
	if (operations.length === 0) return [];
	const rest = first.length > 0 ? words.slice(1) : words.slice(0, -1);
	const found = computersFound(source, typedTextFrom(rest.join(' ')));
	return operations.flatMap(({ action, match }) =>
		found.map(each => operationItem(action, each, match)),
	);
}

/** `verbMatch` says how well the typed text matches the operation; it is undefined for one that is only suggested. */
function operationItem(
	action: OperationAction,
	{ row, name, note, match }: Found,
	verbMatch: TextMatch | undefined,
): PaletteItem {
	const { operation } = action;
	const { label: verb, asks, seldomHelpsIn = [] } = operationRowOf(operation);
	const allowance = allowanceOf(operation, row.computer, undefined);
	const helpPenalty = !allowance.isAllowed
		? penalties.refused
		: !verbMatch && asks === 'type'
			? penalties.untypedGraveOperation
			: seldomHelpsIn.includes(row.computer.phase)
				? penalties.seldomHelps
				: 0;
	return {
		id: `${operation} ${row.id}`,
		label: `${verb} ${name}`,
		note: allowance.isAllowed ? note : allowance.reason,
		completion: `${verb.toLowerCase()} ${name}`,
		run: context => runUnlessRefused({ ...context, targets: [row.id] }, action),
		isRefused: !allowance.isAllowed,
		match: {
			score: Math.min(match.score, verbMatch?.score ?? match.score),
			places: [...(verbMatch?.places ?? []), ...match.places.map(place => place + verb.length + 1)],
		},
		penalty: helpPenalty + (verbMatch ? penalties.operation : penalties.untypedOperation),
	};
}
