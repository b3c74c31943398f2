import type {
	AccountSettings,
	ChosenAccounts,
	LoadedSettings,
} from '../accounts/account-settings.ts';
import { isCountedPhase, isNotRead, type ReadingField } from '../fleet/computers/computer.ts';
import {
	computerNameFilter,
	fieldNameFrom,
	fields,
	type OrderField,
} from '../fleet/computers/fields.ts';
import { filterFrom, filterWordsIn, isOr } from '../fleet/filters/filter.ts';
import { CommandError, UsageError } from '../foundation/error.ts';
import type { Failure } from '../foundation/failure.ts';
import { nearestName } from '../foundation/nearest-name.ts';
import type { Host } from '../session/host.ts';
import { loadSettings, requireAccounts, severalProfilesText } from '../session/settings.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import { cannotReadRecordText } from '../views/phrases/reads.ts';
import { pluralize } from '../views/phrases/words.ts';
import type { Fleet, Fleets } from './fleet.ts';
import type { ParsedArgs } from './parsed-args.ts';
import { errorFromFailure } from './stderr.ts';

export type ComputerWord = { account?: string; idOrName: string };

/** Without a profile's name in front, a slash is part of an id or a name. */
function computerWordFrom(
	text: string,
	profiles: readonly Pick<AccountSettings, 'name' | 'shortName'>[],
): ComputerWord {
	const slash = text.indexOf('/');
	const prefix = text.slice(0, Math.max(0, slash));
	const account = profiles.find(({ name, shortName }) => [name, shortName].includes(prefix))?.name;
	return account === undefined ? { idOrName: text } : { account, idOrName: text.slice(slash + 1) };
}

/** Only those that are named, if every word names its account. */
export function accountsForWords(
	host: Host,
	args: ParsedArgs,
	texts: readonly string[],
	settings: LoadedSettings = loadSettings(host, args),
) {
	const profiles = 'profiles' in settings ? settings.profiles : [];
	const words = texts.map(text => computerWordFrom(text, profiles));
	const empty = words.find(({ idOrName }) => idOrName === '');
	if (empty?.account !== undefined)
		throw new UsageError(`Write the id or the name of a computer after ${empty.account}/`);
	const named = [...new Set(words.flatMap(({ account }) => account ?? []))];
	const bare = words.find(({ account }) => account === undefined);
	const isEveryNamed = named.length > 0 && bare === undefined;
	if (settings.kind === 'choice' && !isEveryNamed) {
		const hint = bare ? `, or write ${settings.profiles[0]?.name}/${bare.idOrName}` : '';
		throw new UsageError(cleanForTerminal(`${severalProfilesText(settings.profiles)}${hint}`));
	}
	const isFlagged = args.list('profile').length > 0 || args.flag('all-profiles');
	const chosen =
		isEveryNamed && !isFlagged
			? loadSettings(host, { list: () => named, flag: args.flag })
			: settings;
	const accounts = requireAccounts(host, chosen);
	const names = accounts.map(({ name }) => name);
	const outside = words.find(({ account = names[0] }) => !names.includes(account ?? ''));
	if (outside) {
		const word = cleanForTerminal(`${outside.account}/${outside.idOrName}`);
		throw new UsageError(`${word} is not in the chosen profiles: ${names.join(', ')}`);
	}
	const [first, ...others] = accounts.filter(({ name }) => named.includes(name));
	const opened: ChosenAccounts = isEveryNamed && first ? [first, ...others] : accounts;
	return { accounts: opened, words };
}

export type ComputerFilter = ReturnType<typeof filterFromOption>;

export function filterFromOption(text: string) {
	const { test, mistake } = filterFrom(text, computerNameFilter);
	const refusal = new UsageError(`--filter: ${cleanForTerminal(mistake?.problem ?? '')}`);
	if (mistake && !mistake.isUnknownValue) throw refusal;
	const names = filterWordsIn(text)
		.filter(word => !isOr(word))
		.map(({ fieldName = 'name' }) => fieldNameFrom(fieldName));
	return {
		fieldNames: names,
		test,
		/** An unknown status may be one of the platform, if some computer has it. */
		refuseUnknownStatus(accounts: readonly AccountState[]) {
			const computers = accounts.flatMap(account => [...account.computers.values()]);
			if (filterFrom(text, computerNameFilter, computers).mistake) throw refusal;
		},
		select: ({ computers, listFields }: AccountState, now: number): readonly ComputerState[] =>
			[...computers.values()].filter(each => test({ ...each, listFields }, now)),
	};
}

/** Where `isLeftOut` is false, the computers of an earlier read are searched. */
export async function findComputer(
	fleets: Fleets,
	idOrName: string,
	isLeftOut: (fleet: Fleet, failure: CommandError) => boolean = (_, failure) => {
		throw failure;
	},
): Promise<{ fleet: Fleet; computer: ComputerState }> {
	const failures: CommandError[] = [];
	const searched = await Promise.all(
		fleets.map(async fleet => {
			try {
				await fleet.readOrThrow('list');
				await readComputerNames(fleet, [idOrName]);
			} catch (error) {
				if (!(error instanceof CommandError) || fleet.signal.aborted) throw error;
				if (isLeftOut(fleet, error)) {
					failures.push(error);
					return [];
				}
			}
			return [{ fleet, count: computersMatching(fleet.accountNow(), idOrName).length }];
		}),
	);
	const found = searched.flat();
	if (found.length === 0 && failures[0]) throw failures[0];
	const [first, ...others] = found.filter(({ count }) => count > 0);
	if (first && others.length > 0) {
		const having = [first, ...others];
		const count = having.reduce((sum, each) => sum + each.count, 0);
		const exact = having.map(({ fleet }) => `${fleet.name}/${idOrName}`).join(', ');
		throw new UsageError(
			cleanForTerminal(`${idOrName} names ${count} computers. Write one of: ${exact}`),
		);
	}
	const [computer] = first ? computersNamed(first.fleet.accountNow(), [idOrName]) : [];
	if (first && computer) return { fleet: first.fleet, computer };
	const accounts = found.map(({ fleet }) => fleet.accountNow());
	throw new UsageError(cleanForTerminal(noMatchText(accounts, idOrName)));
}

export function computersNamed(
	account: AccountState,
	words: readonly string[],
): readonly ComputerState[] {
	const found = [...new Set(words)].map(word => [word, computersMatching(account, word)] as const);
	const problems = found
		.filter(([, matches]) => matches.length !== 1)
		.map(([word, matches]) => matchProblemText(account, word, matches));
	if (problems.length > 0) throw new UsageError(problems.map(cleanForTerminal).join('\n'));
	return [...new Set(found.flatMap(([, matches]) => matches))];
}

// All with this id or name, so that delete refuses an ambiguous word. Removed computers count only if no other matches.
function computersMatching({ computers }: AccountState, word: string): readonly ComputerState[] {
	const named = [...computers.values()].filter(
		({ id, reading }) => id === word || reading.name === word,
	);
	const present = named.filter(({ phase }) => isCountedPhase(phase));
	return present.length > 0 ? present : named;
}

function matchProblemText(
	account: AccountState,
	word: string,
	matches: readonly ComputerState[],
): string {
	if (matches.length === 0) return noMatchText([account], word);
	const ids = matches.map(({ id }) => id);
	const what = ids.includes(word) ? 'the id or the name' : 'the name';
	const others = ids.filter(id => id !== word).join(', ');
	return `${word} is ${what} of ${ids.length} computers. Use the id of one: ${others}`;
}

function noMatchText(accounts: readonly AccountState[], word: string): string {
	const computers = accounts.flatMap(account => [...account.computers.values()]);
	const names = computers.flatMap(({ id, reading }) => [reading.name || id, id]);
	const longerNames = names.filter(name => word.length > 1 && name.startsWith(word));
	const hint = [...new Set(longerNames)].slice(0, 5).join(', ') || nearestName(word, names);
	return `No computer has the id or name ${word}.${hint ? ` Did you mean ${hint}?` : ''}`;
}

// On some platforms the list has little more than ids, and the rest is read for each computer.

/** Throws if one cannot be read, unless it is gone. */
export async function readEach(
	read: (id: string) => Promise<Failure | undefined>,
	ids: readonly string[],
): Promise<void> {
	const answers = await Promise.all(ids.map(async id => ({ id, failure: await read(id) })));
	const failed = answers.find(({ failure }) => failure && failure.kind !== 'missing');
	if (failed?.failure) throw errorFromFailure(cannotReadRecordText(failed.id), failed.failure);
}

const maxUnsaidReads = 10;

export async function readStatuses(fleet: Fleet, computers: readonly ComputerState[]) {
	const { accountNow, notify, readStatus, signal } = fleet;
	const ids = computers.filter(({ reading }) => reading.status === undefined).map(({ id }) => id);
	if (ids.length > maxUnsaidReads)
		notify(`The list of computers has no status. Reading the status of ${ids.length} computers`);
	await Promise.allSettled(ids.map(id => readStatus(id)));
	signal.throwIfAborted();
	const present = ids.flatMap(id => accountNow().computers.get(id) ?? []);
	const count = present.filter(({ reading }) => !reading.status).length;
	if (count > 0)
		notify(`The platform does not report the status of ${pluralize(count, 'computer')}`);
}

export async function readComputerNames(fleet: Fleet, words: readonly string[]) {
	const { computers } = fleet.accountNow();
	if (words.every(word => computers.has(word))) return;
	if (!(await readFields(fleet, ['name'])))
		throw new UsageError('This platform does not return names. Use the id');
}

export async function readFor(fleet: Fleet, names: readonly (OrderField | undefined)[]) {
	const needed = names.flatMap(name =>
		name === undefined || name === 'trouble' ? [] : (fields[name].needs ?? []),
	);
	const readings = [...new Set<ReadingField>(needed)];
	await readStatuses(fleet, [...fleet.accountNow().computers.values()]);
	if (!(await readFields(fleet, readings)))
		fleet.notify(`This platform does not return ${readings.join(', ')}`);
}

// A person waits for a list, so its reasons are read only as far as that is quick.
const maxReasonsRead = 10;
const maxReasonsMs = 2_000;

const computersWithoutReason = (
	{ listFields }: AccountState,
	computers: readonly ComputerState[],
): readonly ComputerState[] =>
	computers.filter(computer => isNotRead('error', computer, listFields));

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
	const subject = left === 1 ? 'The reason of 1 error was' : `The reasons of ${left} errors were`;
	if (left > 0) notify(`${subject} not read. crowsnest show ID reads one`);
}

// If this many records lack the fields, the platform does not return them.
const maxSampledRecords = 5;

/** A name of an earlier run may belong to another computer now. */
async function readFields(fleet: Fleet, fields: readonly ReadingField[]): Promise<boolean> {
	const { accountNow, notify, readDetail, readStatus } = fleet;
	const { listFields, computers } = accountNow();
	const missing = fields.filter(field => !listFields.has(field));
	const say = (lacked: string, records: string, { length }: readonly ComputerState[]) => {
		if (length > maxUnsaidReads)
			notify(`The list lacks ${lacked}. Reading the ${records} of ${length} computers`);
	};
	if (missing.includes('version')) {
		const unread = [...computers.values()].filter(each => isNotRead('version', each, listFields));
		say('version', 'status', unread);
		for (const { id } of unread) await readEach(readStatus, [id]);
	}
	const inDetails = missing.filter(field => field !== 'version');
	const present = [...computers.values()].filter(({ phase }) => isCountedPhase(phase));
	if (inDetails.length === 0 || present.length === 0) return true;
	say(inDetails.join(', '), 'records', present);
	let isAnyFound = false;
	for (const [index, { id }] of present.entries()) {
		await readEach(readDetail, [id]);
		// In a computer, a field that its record lacks is null as well.
		isAnyFound ||= inDetails.some(field => accountNow().detailFields?.has(field));
		if (!isAnyFound && index + 1 >= maxSampledRecords) return false;
	}
	return isAnyFound;
}
