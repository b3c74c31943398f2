import type { Phase } from '../../fleet/computers/computer.ts';
import { isVersionNotRead } from '../../fleet/computers/not-read.ts';
import { memoize } from '../../foundation/memoize.ts';
import { outageOf } from '../../store/age.ts';
import { createRunwaySelector } from '../../store/selectors.ts';
import type { AccountState, ComputerState } from '../../store/state.ts';
import { countedScopes, type EventTotals } from './event-counter.ts';
import type { MetricFamily, MetricSample } from './exposition.ts';

/** The values of one account that the file shows. */
export type MeasuredAccount = { name: string; state: AccountState; totals: EventTotals };

type Measure = Omit<MetricFamily, 'samples'> & {
	/** Returns the samples of one account, without the label of the account. Unknown values have no sample. */
	samplesOf(
		account: MeasuredAccount,
		numbers: AccountNumbers,
		now: number,
	): readonly MetricSample[];
};

/** Values that are costly to compute, so they are computed only after a change. */
type AccountNumbers = {
	countsByPhase: ReadonlyMap<string, number>;
	countsByVersion: ReadonlyMap<string, number>;
	runway: ReturnType<ReturnType<typeof createRunwaySelector>>;
};

/**
 * Creates a function that returns everything that the file contains. The names of the metrics never change, because
 * dashboards use them.
 */
export function createMetrics(): (
	accounts: readonly MeasuredAccount[],
	now: number,
) => readonly MetricFamily[] {
	const numbersByAccount = new Map<string, (state: AccountState) => AccountNumbers>();

	function numbersOf({ name, state }: MeasuredAccount): AccountNumbers {
		const select = numbersByAccount.get(name) ?? createNumbersSelector();
		numbersByAccount.set(name, select);
		return select(state);
	}

	return (accounts, now) => {
		const measured = accounts.map(account => ({ account, numbers: numbersOf(account) }));
		return metricTable.map(({ samplesOf, ...family }) => ({
			...family,
			samples: measured.flatMap(({ account, numbers }) =>
				samplesOf(account, numbers, now).map(({ labels, value }) => {
					return { labels: { account: account.name, ...labels }, value };
				}),
			),
		}));
	};
}

/** The families of the file, in their order in the file. */
export const metricTable: readonly Measure[] = [
	{
		name: 'crowsnest_account_up',
		type: 'gauge',
		help: 'Whether the account answers (1) or not (0).',
		samplesOf({ state }, _, now) {
			const { answer, failing } = state.reads.list ?? {};
			return answer || failing ? single(outageOf(state, now) ? 0 : 1) : [];
		},
	},
	{
		name: 'crowsnest_list_read_timestamp_seconds',
		type: 'gauge',
		help: 'Time of the last answer with all computers; time() minus this is the age of the counts.',
		samplesOf: ({ state }) => single(inSeconds(state.contact?.fleetAt)),
	},
	{
		name: 'crowsnest_computers',
		type: 'gauge',
		help: 'Computers by phase; several statuses of the platform may belong to one phase.',
		samplesOf: ({ state }, { countsByPhase }) =>
			state.contact ? labelled('phase', countsByPhase) : [],
	},
	{
		name: 'crowsnest_computers_by_version',
		type: 'gauge',
		help: 'Computers by the version of their image, without archived computers; (not read) until it is read.',
		samplesOf: (_, { countsByVersion }) => labelled('version', countsByVersion),
	},
	{
		name: 'crowsnest_budget_limit_requests',
		type: 'gauge',
		help: 'Requests that a rate limit of the platform allows.',
		samplesOf: account => byScope(account, ({ limit }) => limit),
	},
	{
		name: 'crowsnest_budget_used_requests',
		type: 'gauge',
		help: 'Requests that count against a rate limit now, from crowsnest and from other clients.',
		samplesOf: account => byScope(account, ({ spent }) => spent),
	},
	{
		name: 'crowsnest_budget_refusals_total',
		type: 'counter',
		help: 'How often the platform refused requests because of a rate limit, since this command started.',
		samplesOf: ({ totals }) => labelled('scope', Object.entries(totals.refusals)),
	},
	{
		name: 'crowsnest_credits',
		type: 'gauge',
		help: 'Credits that are left.',
		samplesOf: ({ state }) => single(state.credits?.balance),
	},
	{
		name: 'crowsnest_credits_burned_per_second',
		type: 'gauge',
		help: 'Credits that were spent per second in the last hours.',
		samplesOf: (_, { runway }) => single(runway ? runway.burnPerHour / 3_600 : undefined),
	},
	{
		name: 'crowsnest_credits_runway_seconds',
		type: 'gauge',
		help: 'Time until the credits run out at this rate; +Inf if none are spent.',
		samplesOf: (_, { runway }) =>
			single(runway ? inSeconds(runway.timeLeftMs ?? Number.POSITIVE_INFINITY) : undefined),
	},
	{
		name: 'crowsnest_operations_total',
		type: 'counter',
		help: 'Operations on this host by outcome, since this command started.',
		samplesOf: ({ totals }) => labelled('outcome', Object.entries(totals.outcomes)),
	},
];

const single = (value: number | null | undefined): readonly MetricSample[] =>
	typeof value === 'number' ? [{ labels: {}, value }] : [];

const inSeconds = (milliseconds: number | undefined) =>
	milliseconds === undefined ? undefined : milliseconds / 1_000;

const labelled = (
	label: string,
	values: Iterable<readonly [string, number]>,
): readonly MetricSample[] =>
	Array.from(values, ([name, value]) => ({ labels: { [label]: name }, value }));

function byScope(
	{ state: { standings } }: MeasuredAccount,
	numberOf: (usage: { limit: number; spent: number }) => number,
): readonly MetricSample[] {
	if (!standings) return [];
	return countedScopes.map(scope => ({ labels: { scope }, value: numberOf(standings[scope]) }));
}

function createNumbersSelector(): (state: AccountState) => AccountNumbers {
	const runwayOf = createRunwaySelector();
	const countsOf = memoize((computers: AccountState['computers']) => {
		const all = [...computers.values()];
		return { countsByPhase: phaseCountsOf(all), countsByVersion: versionCountsOf(all) };
	});
	return state => ({ ...countsOf(state.computers), runway: runwayOf(state) });
}

// Many graphs keep the last value of a series that disappears, so a phase without computers is reported as 0.
const noComputers: Readonly<Record<Phase, 0>> = {
	creating: 0,
	active: 0,
	stopped: 0,
	error: 0,
	stopping: 0,
	starting: 0,
	restarting: 0,
	updating: 0,
	archived: 0,
	pooled: 0,
	unknown: 0,
};

function phaseCountsOf(computers: readonly ComputerState[]): ReadonlyMap<string, number> {
	const counts = new Map<string, number>(Object.entries(noComputers));
	for (const { phase } of computers) counts.set(phase, (counts.get(phase) ?? 0) + 1);
	return counts;
}

// Prometheus stores a series for each version, so the number of versions is bounded.
const maxVersions = 50;

function versionCountsOf(computers: readonly ComputerState[]): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const computer of computers) {
		if (computer.phase === 'archived') continue;
		const version = isVersionNotRead(computer)
			? '(not read)'
			: computer.reading.version || 'unknown';
		counts.set(version, (counts.get(version) ?? 0) + 1);
	}
	const byCount = [...counts].sort(
		([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1),
	);
	const shown = byCount.slice(0, maxVersions).sort(([a], [b]) => (a < b ? -1 : 1));
	const restCount = byCount.slice(maxVersions).reduce((sum, [, count]) => sum + count, 0);
	return new Map(restCount === 0 ? shown : [...shown, ['(other)', restCount]]);
}
