import { isCounted, type Reading } from '../fleet/computer.ts';
import { errorFromFailure, UsageError } from '../shell/errors.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import type { Fleet } from './fleet.ts';

// Some platforms list little more than ids. The other fields are then read one computer at a time.

/** Reads the status of every computer here that the list gave none for. */
export async function readStatuses(fleet: Fleet, computers: readonly ComputerState[]) {
	const { session, waitFor, notify } = fleet;
	const withoutStatus = computers.filter(({ reading }) => reading.status === undefined);
	if (withoutStatus.length === 0) return;
	const count = withoutStatus.length;
	if (count > 10) notify(`The list has no status. Reading the status of ${count} computers`);
	const ids = withoutStatus.map(({ id }) => id);
	session.watch.setAttention({ visible: new Set(ids), focused: true });
	fleet.watch();
	await waitFor(account => ids.every(id => hasStatusAnswer(account, id)) || undefined);
	const { computers: all } = fleet.current();
	const left = ids.filter(id => all.has(id) && !all.get(id)?.reading.status).length;
	if (left > 0) notify(`The platform does not report the status of ${left} computers`);
}

function hasStatusAnswer({ computers, computerReads }: AccountState, id: string): boolean {
	const computer = computers.get(id);
	if (!computer || computer.isMissing || computer.reading.status !== undefined) return true;
	return computerReads.get(id)?.failing?.status !== undefined;
}

/** Reads the names if one of the words may be a name and the list has none. */
export async function readNames(fleet: Fleet, words: readonly string[]) {
	const { computers } = fleet.current();
	if (words.every(word => computers.has(word))) return;
	if (!(await areFieldsKnown(fleet, ['name']))) {
		throw new UsageError('This platform does not return names. Use the id');
	}
}

/** Reads the fields that a filter needs and the list lacks. */
export async function readForFilter(fleet: Fleet, fields: readonly (keyof Reading)[]) {
	await readStatuses(fleet, [...fleet.current().computers.values()]);
	if (!(await areFieldsKnown(fleet, fields))) {
		fleet.notify(`This platform does not return ${fields.join(', ')}`);
	}
}

// When the first records lack the fields, the others lack them too and are not read.
const sampleSize = 5;

/**
 * Whether the platform returns these fields: in the list, or in the records of the computers, which are
 * read here. Fields that an earlier run stored do not count: a name may belong to another computer now.
 */
async function areFieldsKnown(
	{ current, notify, readDetail }: Fleet,
	fields: readonly (keyof Reading)[],
): Promise<boolean> {
	const { listFields, computers } = current();
	const missing = fields.filter(field => !listFields.has(field));
	const ids = [...computers.values()].filter(({ phase }) => isCounted(phase)).map(({ id }) => id);
	if (missing.length === 0 || ids.length === 0) return true;
	if (ids.length > 10) notify(`The list has too few fields. Reading ${ids.length} records`);
	let isAnyFound = false;
	for (const [place, id] of ids.entries()) {
		const failure = await readDetail(id);
		if (failure && failure.kind !== 'missing') {
			throw errorFromFailure(`Cannot read the record of ${id}`, failure);
		}
		const reading = current().computers.get(id)?.reading;
		isAnyFound ||= missing.some(field => reading?.[field] !== undefined);
		if (!isAnyFound && place + 1 >= sampleSize) return false;
	}
	return isAnyFound;
}
