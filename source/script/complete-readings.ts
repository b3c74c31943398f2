import { isCountedPhase, type ReadingField } from '../fleet/computers/computer.ts';
import { isNotRead } from '../fleet/computers/not-read.ts';
import { UsageError } from '../foundation/error.ts';
import type { Failure } from '../foundation/failure.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { cannotReadRecordText } from '../views/phrases/reads.ts';
import { errorFromFailure } from './command.ts';
import type { Fleet } from './fleet.ts';

// On some platforms, the list of computers has little more than ids. Then the other fields are read separately for
// each computer.

/** Throws if one cannot be read, unless it is gone. */
export async function readEach(
	read: (id: string) => Promise<Failure | undefined>,
	ids: readonly string[],
): Promise<void> {
	const answers = await Promise.all(ids.map(async id => ({ id, failure: await read(id) })));
	const failed = answers.find(({ failure }) => failure && failure.kind !== 'missing');
	if (failed?.failure) throw errorFromFailure(cannotReadRecordText(failed.id), failed.failure);
}

/** A person is told of reads of more computers than this, because they take a while. */
const maxUnsaidReads = 10;

export async function readStatuses(fleet: Fleet, computers: readonly ComputerState[]) {
	const { accountNow, notify, readStatus, signal } = fleet;
	const ids = computers.filter(({ reading }) => reading.status === undefined).map(({ id }) => id);
	if (ids.length === 0) return;
	if (ids.length > maxUnsaidReads)
		notify(`The list of computers has no status. Reading the status of ${ids.length} computers`);
	await Promise.allSettled(ids.map(id => readStatus(id)));
	signal.throwIfAborted();
	const { computers: present } = accountNow();
	const count = ids.filter(id => present.has(id) && !present.get(id)?.reading.status).length;
	if (count > 0)
		notify(
			`The platform does not report the status of ${count} ${count === 1 ? 'computer' : 'computers'}`,
		);
}

export async function readComputerNames(fleet: Fleet, words: readonly string[]) {
	const { computers } = fleet.accountNow();
	if (words.every(word => computers.has(word))) return;
	if (!(await readFields(fleet, ['name'])))
		throw new UsageError('This platform does not return names. Use the id');
}

export async function readFilterFields(fleet: Fleet, fields: readonly ReadingField[]) {
	await readStatuses(fleet, [...fleet.accountNow().computers.values()]);
	if (!(await readFields(fleet, fields)))
		fleet.notify(`This platform does not return ${fields.join(', ')}`);
}

// A person waits for a list, so its reasons are only read as far as that is quick.
const maxReasonsRead = 10;
const maxReasonsMs = 2_000;

export const computersWithoutReason = (
	{ listFields }: AccountState,
	computers: Iterable<ComputerState>,
): readonly ComputerState[] =>
	[...computers].filter(computer => isNotRead('error', computer, listFields));

export async function readReasons(fleet: Fleet, computers: readonly ComputerState[]) {
	const { accountNow, clock, session, signal, readStatus, notify } = fleet;
	const unread = computersWithoutReason(accountNow(), computers);
	if (unread.length === 0) return;
	const room = Math.min(maxReasonsRead, session.limiter.slots().status.free.operation);
	const timeUp = new AbortController();
	const cancelTimer = clock.after(maxReasonsMs, () => timeUp.abort());
	const asked = unread.slice(0, Math.max(0, room));
	await Promise.allSettled(asked.map(({ id }) => readStatus(id, timeUp.signal)));
	cancelTimer();
	signal.throwIfAborted();
	const present = unread.flatMap(({ id }) => accountNow().computers.get(id) ?? []);
	const left = computersWithoutReason(accountNow(), present).length;
	if (left === 0) return;
	const subject = left === 1 ? 'The reason of 1 error was' : `The reasons of ${left} errors were`;
	notify(`${subject} not read. crowsnest show ID reads one`);
}

// If the fields are missing from this many records, the platform does not return them, so no more records are read.
const maxSampledRecords = 5;

/** Fields from an earlier run do not count, because a name may now belong to another computer. */
async function readFields(fleet: Fleet, fields: readonly ReadingField[]): Promise<boolean> {
	const { accountNow, notify, readDetail, readStatus } = fleet;
	const { listFields, computers } = accountNow();
	const missing = fields.filter(field => !listFields.has(field));
	if (missing.includes('version')) {
		const unread = [...computers.values()].filter(each => isNotRead('version', each, listFields));
		if (unread.length > maxUnsaidReads)
			notify(`The list lacks version. Reading the status of ${unread.length} computers`);
		for (const { id } of unread) await readEach(readStatus, [id]);
	}
	const inDetails = missing.filter(field => field !== 'version');
	const ids = [...computers.values()]
		.filter(({ phase }) => isCountedPhase(phase))
		.map(({ id }) => id);
	if (inDetails.length === 0 || ids.length === 0) return true;
	if (ids.length > maxUnsaidReads)
		notify(
			`The list lacks ${inDetails.join(', ')}. Reading the records of ${ids.length} computers`,
		);
	let isAnyFound = false;
	for (const [index, id] of ids.entries()) {
		await readEach(readDetail, [id]);
		const reading = accountNow().computers.get(id)?.reading;
		isAnyFound ||= inDetails.some(field => reading?.[field] !== undefined);
		if (!isAnyFound && index + 1 >= maxSampledRecords) return false;
	}
	return isAnyFound;
}
