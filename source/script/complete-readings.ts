import { isCountedPhase, type ReadingField } from '../fleet/computers/computer.ts';
import { isNotRead } from '../fleet/computers/not-read.ts';
import { UsageError } from '../foundation/error.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { cannotReadRecordText } from '../views/phrases/reads.ts';
import { errorFromFailure } from './command.ts';
import type { Fleet } from './fleet.ts';

// On some platforms, the list of computers has little more than ids. Then the other fields are read separately for
// each computer.

/** Reads the status of those computers whose status the list does not contain. */
export async function readStatuses(fleet: Fleet, computers: readonly ComputerState[]) {
	const { session, waitFor, notify } = fleet;
	const withoutStatus = computers.filter(({ reading }) => reading.status === undefined);
	if (withoutStatus.length === 0) return;
	const count = withoutStatus.length;
	if (count > 10)
		notify(`The list of computers has no status. Reading the status of ${count} computers`);
	const ids = withoutStatus.map(({ id }) => id);
	// A person waits for these reads, so they may use more of the rate limits than a calm monitor does.
	session.watch.readNow(ids.map(id => ({ name: 'status', id })));
	fleet.startWatch();
	await waitFor(account => ids.every(id => hasStatusAnswer(account, id)) || undefined);
	const { computers: present } = fleet.accountNow();
	const withoutAnswer = ids.filter(
		id => present.has(id) && !present.get(id)?.reading.status,
	).length;
	if (withoutAnswer > 0)
		notify(
			`The platform does not report the status of ${withoutAnswer} ${withoutAnswer === 1 ? 'computer' : 'computers'}`,
		);
}

function hasStatusAnswer({ computers, computerReads }: AccountState, id: string): boolean {
	const computer = computers.get(id);
	if (!computer || computer.isMissing || computer.reading.status !== undefined) return true;
	return computerReads.get(id)?.failing?.status !== undefined;
}

/**
 * Reads the names of all computers if a word is not an id and the list has no names. Throws if the platform
 * does not return names.
 */
export async function readComputerNames(fleet: Fleet, words: readonly string[]) {
	const { computers } = fleet.accountNow();
	if (words.every(word => computers.has(word))) return;
	if (!(await readFields(fleet, ['name']))) {
		throw new UsageError('This platform does not return names. Use the id');
	}
}

/** Reads the fields that a filter needs and that the list of computers does not contain. */
export async function readFilterFields(fleet: Fleet, fields: readonly ReadingField[]) {
	await readStatuses(fleet, [...fleet.accountNow().computers.values()]);
	if (!(await readFields(fleet, fields))) {
		fleet.notify(`This platform does not return ${fields.join(', ')}`);
	}
}

// A person waits for a list, so its reasons are only read as far as that is quick.
const maxReasonsRead = 10;
const maxReasonsMs = 2_000;

/** Returns the computers in error whose reason nobody has read. */
export const computersWithoutReason = (
	{ listFields }: AccountState,
	computers: Iterable<ComputerState>,
): readonly ComputerState[] =>
	[...computers].filter(computer => isNotRead('error', computer, listFields));

/** Reads the reasons of the first of these computers in error, and says how many were not read. */
export async function readReasons(fleet: Fleet, computers: readonly ComputerState[]) {
	const unread = computersWithoutReason(fleet.accountNow(), computers);
	if (unread.length === 0) return;
	const { free } = fleet.session.limiter.slots().status;
	const ids = unread
		.slice(0, Math.max(0, Math.min(maxReasonsRead, free.operation)))
		.map(({ id }) => id);
	const timeUp = new AbortController();
	for (const id of ids) fleet.readStatus(id, timeUp.signal).catch(() => {});
	await fleet.waitFor(
		account => ids.every(id => hasReasonAnswer(account, id)) || undefined,
		maxReasonsMs,
	);
	timeUp.abort();
	const left = computersWithoutReason(
		fleet.accountNow(),
		unread.flatMap(({ id }) => fleet.accountNow().computers.get(id) ?? []),
	).length;
	if (left > 0) {
		const subject = left === 1 ? 'The reason of 1 error was' : `The reasons of ${left} errors were`;
		fleet.notify(`${subject} not read. crowsnest show ID reads one`);
	}
}

function hasReasonAnswer(account: AccountState, id: string): boolean {
	const { computers, computerReads, listFields } = account;
	const computer = computers.get(id);
	return (
		!computer ||
		!isNotRead('error', computer, listFields) ||
		computer.isMissing ||
		computerReads.get(id)?.failing?.status !== undefined
	);
}

// If the fields are missing from this many records, the platform does not return them, so no more records
// are read.
const maxSampledRecords = 5;

/**
 * Returns whether the platform returns these fields in the list or in the record of each computer. Records
 * are read only if the list lacks a field. Fields from an earlier run do not count, because a name may now
 * belong to another computer.
 */
async function readFields(fleet: Fleet, fields: readonly ReadingField[]): Promise<boolean> {
	const { accountNow, notify, readDetail } = fleet;
	const { listFields, computers } = accountNow();
	const missing = fields.filter(field => !listFields.has(field));
	const ids = [...computers.values()]
		.filter(({ phase }) => isCountedPhase(phase))
		.map(({ id }) => id);
	if (missing.includes('version')) await readVersions(fleet);
	const inDetails = missing.filter(field => field !== 'version');
	if (inDetails.length === 0 || ids.length === 0) return true;
	if (ids.length > 10)
		notify(
			`The list lacks ${inDetails.join(', ')}. Reading the records of ${ids.length} computers`,
		);
	let isAnyFound = false;
	for (const [index, id] of ids.entries()) {
		const failure = await readDetail(id);
		if (failure && failure.kind !== 'missing') {
			throw errorFromFailure(cannotReadRecordText(id), failure);
		}
		const reading = accountNow().computers.get(id)?.reading;
		isAnyFound ||= inDetails.some(field => reading?.[field] !== undefined);
		if (!isAnyFound && index + 1 >= maxSampledRecords) return false;
	}
	return isAnyFound;
}

/** Reads the status of each computer whose version nobody has read. */
async function readVersions({ accountNow, notify, readStatus }: Fleet) {
	const { computers, listFields } = accountNow();
	const unread = [...computers.values()].filter(each => isNotRead('version', each, listFields));
	if (unread.length > 10)
		notify(`The list lacks version. Reading the status of ${unread.length} computers`);
	for (const { id } of unread) {
		const failure = await readStatus(id);
		if (failure && failure.kind !== 'missing')
			throw errorFromFailure(cannotReadRecordText(id), failure);
	}
}
