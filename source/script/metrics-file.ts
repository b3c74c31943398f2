import { replaceFile } from '../accounts/private-file.ts';
import { isVersionNotRead } from '../fleet/computers/not-read.ts';
import { runwayOf } from '../fleet/computers/runway.ts';
import type { Clock } from '../foundation/clock.ts';
import { fileErrorText } from '../foundation/error.ts';
import { changesBetween } from '../store/change-log.ts';
import { outageOf } from '../store/freshness.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import { phaseStyles } from '../views/fleet/status.ts';

const scopes = ['create', 'status', 'other'] as const;
const outcomes = {
	settled: 'done',
	failed: 'failed',
	unknown: 'unknown',
	cancelled: 'cancelled',
} as const;

const noCounts = () => ({
	refusals: { create: 0, status: 0, other: 0 },
	/** When the latest refusal of each limit ends. */
	refusedUntil: { create: 0, status: 0, other: 0 },
	outcomes: { done: 0, failed: 0, unknown: 0, cancelled: 0 },
});

type Counts = ReturnType<typeof noCounts>;

type Measured = { name: string; state: AccountState; counts: Counts };

/** The samples of a metric: one number, or numbers by the value of a label. What is not known has none. */
type Samples = number | null | undefined | Iterable<readonly [label: string, value: number]>;

type Metric = {
	name: string;
	type?: 'counter';
	help: string;
	label?: string;
	of(account: Measured, now: number): Samples;
};

/** The names never change, because dashboards use them. */
export const metrics: readonly Metric[] = [
	{
		name: 'account_up',
		help: 'Whether the account answers (1) or not (0).',
		of({ state }, now) {
			const { answer, failing } = state.reads.list ?? {};
			return answer || failing ? Number(!outageOf(state, now)) : undefined;
		},
	},
	{
		name: 'list_read_timestamp_seconds',
		help: 'Time of the last answer with all computers; time() minus this is the age of the counts.',
		of: ({ state: { contact } }) => contact?.fleetAt && contact.fleetAt / 1_000,
	},
	{
		name: 'computers',
		help: 'Computers by phase; several statuses of the platform may belong to one phase.',
		label: 'phase',
		of: ({ state }) => (state.contact ? phaseCounts(state) : undefined),
	},
	{
		name: 'computers_by_version',
		help: 'Computers by the version of their image, without archived computers; (not read) until it is read.',
		label: 'version',
		of: ({ state }) => versionCounts(state),
	},
	{
		name: 'budget_limit_requests',
		help: 'Requests that a rate limit of the platform allows.',
		label: 'scope',
		of: ({ state: { standings } }) =>
			standings && scopes.map(each => [each, standings[each].limit]),
	},
	{
		name: 'budget_used_requests',
		help: 'Requests that count against a rate limit now, from crowsnest and from other clients.',
		label: 'scope',
		of: ({ state: { standings } }) =>
			standings && scopes.map(each => [each, standings[each].spent]),
	},
	{
		name: 'budget_refusals_total',
		type: 'counter',
		help: 'How often the platform refused requests because of a rate limit, since this command started.',
		label: 'scope',
		of: ({ counts }) => Object.entries(counts.refusals),
	},
	{
		name: 'credits',
		help: 'Credits that are left.',
		of: ({ state }) => state.credits?.balance,
	},
	{
		name: 'credits_burned_per_second',
		help: 'Credits that were spent per second in the last hours.',
		of({ state }) {
			const runway = runwayOf(state);
			return runway && runway.burnPerHour / 3_600;
		},
	},
	{
		name: 'credits_runway_seconds',
		help: 'Time until the credits run out at this rate; +Inf if none are spent.',
		of({ state }) {
			const runway = runwayOf(state);
			return runway && (runway.timeLeftMs ?? Number.POSITIVE_INFINITY) / 1_000;
		},
	},
	{
		name: 'operations_total',
		type: 'counter',
		help: 'Operations on this host by outcome, since this command started.',
		label: 'outcome',
		of: ({ counts }) => Object.entries(counts.outcomes),
	},
];

// Many graphs keep the last value of a series that disappears, so a phase without computers is a 0.
function phaseCounts({ computers }: AccountState): Map<string, number> {
	const counts = new Map(Object.keys(phaseStyles).map(phase => [phase, 0]));
	for (const { phase } of computers.values()) counts.set(phase, (counts.get(phase) ?? 0) + 1);
	return counts;
}

// Prometheus stores a series for each version, so their number is bounded.
const maxVersions = 50;

function versionCounts({ computers }: AccountState): readonly (readonly [string, number])[] {
	const counts = new Map<string, number>();
	for (const computer of computers.values()) {
		if (computer.phase === 'archived') continue;
		const known = computer.reading.version || 'unknown';
		const version = isVersionNotRead(computer) ? '(not read)' : known;
		counts.set(version, (counts.get(version) ?? 0) + 1);
	}
	const byCount = [...counts].sort(([, a], [, b]) => b - a);
	const shown = byCount.slice(0, maxVersions).sort(([a], [b]) => (a < b ? -1 : 1));
	const others = byCount.slice(maxVersions).reduce((sum, [, count]) => sum + count, 0);
	return others === 0 ? shown : [...shown, ['(other)', others]];
}

/**
 * Returns the text of the file. It has no times, because node_exporter refuses them.
 *
 * ```
 * # HELP crowsnest_computers Computers by phase.
 * # TYPE crowsnest_computers gauge
 * crowsnest_computers{account="work",phase="active"} 17
 * ```
 */
function metricsText(accounts: readonly Measured[], now: number): string {
	return metrics
		.map(({ name, type = 'gauge', help, label = '', of }) => {
			const lines = accounts.flatMap(account => {
				const samples = of(account, now) ?? [];
				const all = typeof samples === 'number' ? [['', samples] as const] : [...samples];
				return all.map(([value, number]) => {
					const own = value === '' ? '' : `,${label}="${escaped(value)}"`;
					return `crowsnest_${name}{account="${escaped(account.name)}"${own}} ${numberText(number)}\n`;
				});
			});
			const head = `# HELP crowsnest_${name} ${help}\n# TYPE crowsnest_${name} ${type}\n`;
			return lines.length === 0 ? '' : head + lines.join('');
		})
		.join('');
}

const escaped = (text: string) =>
	text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

const numberText = (value: number) => (value === Number.POSITIVE_INFINITY ? '+Inf' : String(value));

// Prometheus reads such a file seldom more often.
const betweenLooksMs = 2_000;
const longestBetweenWritesMs = 60_000;

/** Returns the function that ends it. `onProblem` is called when the file can no longer be written. */
export function keepMetricsFile(
	path: string,
	clock: Clock,
	store: Store,
	accounts: readonly { account: string; name: string }[],
	onProblem: (reason: string) => void,
): () => void {
	const counts = new Map(accounts.map(({ account }) => [account, noCounts()]));
	let isFailing = false;
	let written = { text: '', at: Number.NEGATIVE_INFINITY };
	let cancelTimer = () => {};

	function writeChanges() {
		const measured = accounts.map(({ account, name }) => ({
			name,
			state: store.getState().accounts.get(account) ?? emptyAccount,
			counts: counts.get(account) ?? noCounts(),
		}));
		const text = metricsText(measured, clock.now());
		const at = clock.monotonic();
		if (text === written.text && at - written.at < longestBetweenWritesMs) return;
		written = { text, at };
		const reason = problemOfWriting(path, text);
		if (reason !== undefined && !isFailing) onProblem(reason);
		isFailing = reason !== undefined;
	}

	function writeRegularly() {
		writeChanges();
		cancelTimer = clock.after(betweenLooksMs, writeRegularly);
	}

	const startedAt = clock.now();
	const stopCounting = store.onFact(({ account }, before, after) => {
		const counted = counts.get(account);
		const state = after.accounts.get(account);
		if (!counted || !state) return;
		countRefusals(counted, state);
		for (const change of changesBetween(before.accounts.get(account) ?? emptyAccount, state))
			if (change.type === 'operationMoved' && change.to !== 'sent' && change.at >= startedAt)
				counted.outcomes[outcomes[change.to]] += 1;
	});
	writeRegularly();
	return () => {
		stopCounting();
		cancelTimer();
		writeChanges();
	};
}

// Two reports of one refusal may differ by less than this.
const sameRefusalMs = 1_000;

function countRefusals({ refusals, refusedUntil }: Counts, { standings }: AccountState) {
	for (const scope of scopes) {
		const until = standings?.[scope].frozenUntil ?? 0;
		if (until - refusedUntil[scope] > sameRefusalMs) refusals[scope] += 1;
		refusedUntil[scope] = Math.max(refusedUntil[scope], until);
	}
}

/** node_exporter runs as another user, so everybody may read the file. */
export function problemOfWriting(path: string, text: string): string | undefined {
	try {
		replaceFile(path, text, { mode: 0o644, isDurable: false });
		return undefined;
	} catch (error) {
		return fileErrorText(error);
	}
}
