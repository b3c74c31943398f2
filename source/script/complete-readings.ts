import { isCounted, type Reading } from '../fleet/computer.ts';
import { errorFromFailure, UsageError } from '../shell/errors.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import type { Fleet } from './fleet.ts';

// Some lists tell little more than ids. What a command needs besides is asked for, computer by computer.

/** Asks for the status of each of these that has none. */
export async function readStatuses(fleet: Fleet, computers: readonly ComputerState[]) {
	const { session, waitFor: once, notify } = fleet;
	const untold = computers.filter(({ reading }) => reading.status === undefined);
	if (untold.length === 0) return;
	if (untold.length > 10) notify(`the list tells no status: asking for ${untold.length} of them`);
	const ids = untold.map(({ id }) => id);
	session.watch.setAttention({ visible: new Set(ids), focused: true });
	fleet.watch();
	await once(account => ids.every(id => hasStatusAnswer(account, id)) || undefined);
	const { computers: all } = fleet.current();
	const left = ids.filter(id => all.has(id) && !all.get(id)?.reading.status).length;
	if (left > 0) notify(`nothing tells the status of ${left} of them`);
}

function hasStatusAnswer({ computers, computerReads }: AccountState, id: string): boolean {
	const computer = computers.get(id);
	if (!computer || computer.isMissing || computer.reading.status !== undefined) return true;
	return computerReads.get(id)?.failing?.status !== undefined;
}

/** Reads the names where a word may be one and the list told none. */
export async function readNames(fleet: Fleet, words: readonly string[]) {
	const { computers } = fleet.current();
	if (words.every(word => computers.has(word))) return;
	if (!(await areFieldsKnown(fleet, ['name'])))
		throw new UsageError('nothing tells names here: give the id');
}

/** Reads what a filter looks at and the list does not tell. */
export async function readForFilter(fleet: Fleet, fields: readonly (keyof Reading)[]) {
	await readStatuses(fleet, [...fleet.current().computers.values()]);
	if (!(await areFieldsKnown(fleet, fields))) fleet.notify(`nothing tells ${fields.join(', ')}`);
}

// Of a fleet where so many tell nothing, the others need not be asked.
const sampleSize = 5;

/**
 * Whether these fields are told: by the list, or by the records of all computers, which are read then.
 * What an earlier run knew does not count: a name may belong to another computer by now.
 */
async function areFieldsKnown(
	{ current: known, notify, readDetail }: Fleet,
	fields: readonly (keyof Reading)[],
): Promise<boolean> {
	const { listFields, computers } = known();
	const untold = fields.filter(field => !listFields.has(field));
	const ids = [...computers.values()].filter(({ phase }) => isCounted(phase)).map(({ id }) => id);
	if (untold.length === 0 || ids.length === 0) return true;
	if (ids.length > 10) notify(`the list tells too little: reading ${ids.length} records`);
	let isAnyTold = false;
	for (const [place, id] of ids.entries()) {
		const failure = await readDetail(id);
		if (failure && failure.kind !== 'missing') {
			throw errorFromFailure(`the record of ${id} cannot be read`, failure);
		}
		const reading = known().computers.get(id)?.reading;
		isAnyTold ||= untold.some(field => reading?.[field] !== undefined);
		if (!isAnyTold && place + 1 >= sampleSize) return false;
	}
	return isAnyTold;
}
