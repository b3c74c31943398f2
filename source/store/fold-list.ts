import type { Change } from '../fleet/change.ts';
import type { Reading } from '../fleet/computer.ts';
import type { Fact } from '../fleet/fact.ts';
import { answered, heard, sightOf } from './fold-reads.ts';
import { wasGone, withoutComputers } from './gone.ts';
import { withChanges } from './log.ts';
import { withMovedPhases } from './moved-phases.ts';
import { observe, statusChangeOf } from './observe.ts';
import { type Answer, existenceKnownFrom, isOutdated } from './sight.ts';
import type { AccountState, ComputerState } from './state.ts';
import { hasUnderWay } from './under-way.ts';

type Computers = AccountState['computers'];

/** The answer about all computers. Whatever it does not name is gone, when all of it could be read. */
export function foldList(
	account: AccountState,
	fact: Extract<Fact, { type: 'listRead' }>,
): AccountState {
	const sight = sightOf(fact);
	if (isOutdated(sight.askedAt, account.reads.list?.told?.askedAt)) return account;
	const answer: Answer = { ...sight, read: 'list' };
	const listening = heard(account, sight);
	const isWhole = !fact.unreadable;
	const isSame = isSameOrder(account.computers, fact.computers);
	const readings = isSame ? fact.computers : distinct(fact.computers);
	const { told, changed, changes } = observeAll(listening, readings, isSame, answer);
	const { computers, sights, away } = isSame
		? { computers: withAll(account.computers, changed), sights: account.sights, away: [] }
		: arranged(account, told, answer.askedAt, isWhole);
	const listed: AccountState = {
		...answered(listening, 'list', sight),
		computers,
		sights,
		watch: { ...listening.watch, ...(isWhole && { fleetAt: answer.askedAt }) },
		listTells: fieldsTold(account.listTells, fact.computers),
	};
	const left = withoutComputers(
		listed,
		away.map(({ id }) => id),
		answer.askedAt,
	);
	const goneChanges = away.map(known => statusChangeOf(listening, known, undefined, answer));
	return withChanges(withMovedPhases(left, answer.askedAt), [...changes, ...goneChanges]);
}

// Mostly the list names what is known as it is known, and of ten thousand none needs to be looked up.
function isSameOrder(computers: Computers, readings: readonly Reading[]): boolean {
	if (readings.length !== computers.size) return false;
	const ids = computers.keys();
	return readings.every(({ id }) => id === ids.next().value);
}

function distinct(readings: readonly Reading[]): readonly Reading[] {
	return [...new Map(readings.map(reading => [reading.id, reading])).values()];
}

function observeAll(
	account: AccountState,
	readings: readonly Reading[],
	isSame: boolean,
	answer: Answer,
) {
	const told: ComputerState[] = [];
	const changed: ComputerState[] = [];
	const changes: (Change | undefined)[] = [];
	const inOrder = account.computers.values();
	for (const reading of readings) {
		const known = isSame ? inOrder.next().value : account.computers.get(reading.id);
		if (!known && wasGone(account, reading.id, answer.askedAt)) continue;
		const computer = observe(account, known, reading, answer);
		told.push(computer);
		if (computer === known) continue;
		changed.push(computer);
		changes.push(statusChangeOf(account, known, computer, answer));
	}
	return { told, changed, changes };
}

function withAll(computers: Computers, changed: readonly ComputerState[]): Computers {
	if (changed.length === 0) return computers;
	const next = new Map(computers);
	for (const computer of changed) next.set(computer.id, computer);
	return next;
}

/** The computers in a new order, those that the list does not name last, if they may be there at all. */
function arranged(
	account: AccountState,
	told: readonly ComputerState[],
	askedAt: number,
	isWhole: boolean,
) {
	const next = new Map(told.map(computer => [computer.id, computer]));
	const away: ComputerState[] = [];
	const unnamed: ComputerState[] = [];
	for (const known of account.computers.values()) {
		if (next.has(known.id)) continue;
		if (isWhole && !mayBeThere(account, known, askedAt)) {
			away.push(known);
			continue;
		}
		if (known.listed === 'told') unnamed.push(known);
		next.set(known.id, known.listed === 'absent' ? known : { ...known, listed: 'absent' });
	}
	const computers = areSame(account.computers, next) ? account.computers : next;
	return { computers, sights: withListSights(account, unnamed), away };
}

// What the list before told of them is not as new as this one: it keeps its own age.
function withListSights(
	{ sights, reads }: AccountState,
	unnamed: readonly ComputerState[],
): AccountState['sights'] {
	const list = reads.list?.told;
	if (!list || unnamed.length === 0) return sights;
	const next = new Map(sights);
	for (const { id } of unnamed) next.set(id, { ...sights.get(id), list });
	return next;
}

// Known by its id from later on than the list was asked for, or so new that the list lags behind.
function mayBeThere(account: AccountState, known: ComputerState, askedAt: number): boolean {
	return (
		isOutdated(askedAt, existenceKnownFrom(account, known)) ||
		hasUnderWay(account, known.id, ['create'])
	);
}

function areSame(known: Computers, next: Computers): boolean {
	if (known.size !== next.size) return false;
	const others = known.values();
	for (const computer of next.values()) {
		if (computer !== others.next().value) return false;
	}
	return true;
}

type Field = Exclude<keyof Reading, 'id'>;

// Written so that none can be forgotten.
const everyField: Readonly<Record<Field, true>> = {
	name: true,
	status: true,
	stage: true,
	stageProgress: true,
	stageMessage: true,
	version: true,
	error: true,
	address: true,
	provider: true,
	location: true,
	serverType: true,
	cpu: true,
	memory: true,
	storage: true,
	startedAt: true,
	createdAt: true,
	updatedAt: true,
	ports: true,
};
const fields = Object.keys(everyField) as readonly Field[];

function fieldsTold(
	known: AccountState['listTells'],
	computers: readonly Reading[],
): AccountState['listTells'] {
	if (computers.length === 0) return known;
	const isTold = (field: Field) => computers.some(reading => reading[field] !== undefined);
	const told = fields.filter(isTold);
	const isSame = told.length === known.size && told.every(field => known.has(field));
	return isSame ? known : new Set(told);
}
