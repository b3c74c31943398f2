import { replaceFile } from '../accounts/private-file.ts';
import { isVersionNotRead } from '../fleet/computers/computer.ts';
import { runwayOf } from '../fleet/computers/runway.ts';
import type { Clock } from '../foundation/clock.ts';
import { fileErrorText } from '../foundation/error.ts';
import { changesBetween } from '../store/change-log.ts';
import { outageOf } from '../store/freshness.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import { phaseStyles } from '../views/fleet/status.ts';

const scopes = ['create', 'status', 'other'] as const;

/** An account, and what happened since the command started. */
const measuredFrom = (name: string, state: AccountState) => ({
	name,
	state,
	refusals: { create: 0, status: 0, other: 0 },
	outcomes: { done: 0, failed: 0, unknown: 0, cancelled: 0 },
});

type Measured = ReturnType<typeof measuredFrom>;

type Counts = Readonly<Record<string, number>>;

type Metric = {
	help: string;
	label?: string;
	/** One number, or numbers by the value of the label. What is not known has none. */
	of(account: Measured, now: number): number | null | undefined | Counts;
};

/** The names never change, because dashboards use them. One that ends with `_total` is a counter. */
export const metrics: Readonly<Record<string, Metric>> = {
	account_up: {
		help: 'Whether the account answers (1) or not (0).',
		of({ state }, now) {
			const { answer, failing } = state.reads.list ?? {};
			return answer || failing ? Number(!outageOf(state, now)) : undefined;
		},
	},
	list_read_timestamp_seconds: {
		help: 'Time of the last answer with all computers; time() minus this is the age of the counts.',
		of: ({ state: { contact } }) => contact?.fleetAt && contact.fleetAt / 1_000,
	},
	computers: {
		help: 'Computers by phase; several statuses of the platform may belong to one phase.',
		label: 'phase',
		of: ({ state }) => (state.contact ? phaseCounts(state) : undefined),
	},
	computers_by_version: {
		help: 'Computers by the version of their image, without archived computers; (not read) until it is read.',
		label: 'version',
		of: ({ state }) => versionCounts(state),
	},
	budget_limit_requests: {
		help: 'Requests that a rate limit of the platform allows.',
		label: 'scope',
		of: ({ state }) => ofEachScope(state, 'limit'),
	},
	budget_used_requests: {
		help: 'Requests that count against a rate limit now, from crowsnest and from other clients.',
		label: 'scope',
		of: ({ state }) => ofEachScope(state, 'spent'),
	},
	budget_refusals_total: {
		help: 'How often the platform refused requests because of a rate limit, since this command started.',
		label: 'scope',
		of: ({ refusals }) => refusals,
	},
	credits: {
		help: 'Credits that are left.',
		of: ({ state }) => state.credits?.balance,
	},
	credits_burned_per_second: {
		help: 'Credits that were spent per second in the last hours.',
		of({ state }) {
			const runway = runwayOf(state);
			return runway && runway.burnPerHour / 3_600;
		},
	},
	credits_runway_seconds: {
		help: 'Time until the credits run out at this rate; +Inf if none are spent.',
		of({ state }) {
			const runway = runwayOf(state);
			return runway && (runway.timeLeftMs ?? Number.POSITIVE_INFINITY) / 1_000;
		},
	},
	operations_total: {
		help: 'Operations on this host by outcome, since this command started.',
		label: 'outcome',
		of: ({ outcomes }) => outcomes,
	},
};

// Many graphs keep the last value of a series that disappears, so a phase without computers is a 0.
function phaseCounts({ computers }: AccountState): Counts {
	const counts = Object.fromEntries(Object.keys(phaseStyles).map(phase => [phase, 0]));
	for (const { phase } of computers.values()) counts[phase] = (counts[phase] ?? 0) + 1;
	return counts;
}

// Prometheus stores a series for each version, so their number is bounded.
const maxVersions = 50;

function versionCounts({ computers }: AccountState): Counts {
	const counts = new Map<string, number>();
	for (const computer of computers.values()) {
		if (computer.phase === 'archived') continue;
		const known = computer.reading.version || 'unknown';
		const version = isVersionNotRead(computer) ? '(not read)' : known;
		counts.set(version, (counts.get(version) ?? 0) + 1);
	}
	const byCount = [...counts].sort(([, a], [, b]) => b - a);
	const others = byCount.splice(maxVersions).reduce((sum, [, count]) => sum + count, 0);
	return Object.fromEntries(others === 0 ? byCount : [...byCount, ['(other)', others]]);
}

const ofEachScope = ({ standings }: AccountState, value: 'limit' | 'spent') =>
	standings && Object.fromEntries(scopes.map(scope => [scope, standings[scope][value]]));

/**
 * Returns the lines of a metric. They have no times, because node_exporter refuses them.
 *
 * ```
 * # HELP crowsnest_computers Computers by phase.
 * # TYPE crowsnest_computers gauge
 * crowsnest_computers{account="work",phase="active"} 17
 * ```
 */
function metricText(name: string, metric: Metric, accounts: readonly Measured[], now: number) {
	const { help, label = '', of } = metric;
	const type = name.endsWith('_total') ? 'counter' : 'gauge';
	const lines = accounts.flatMap(account => {
		const samples = of(account, now) ?? {};
		const line = (own: string, value: number) =>
			`crowsnest_${name}{account="${escaped(account.name)}"${own}} ${String(value).replace('Infinity', '+Inf')}`;
		if (typeof samples === 'number') return [line('', samples)];
		return Object.entries(samples).map(([each, value]) =>
			line(`,${label}="${escaped(each)}"`, value),
		);
	});
	const head = [`# HELP crowsnest_${name} ${help}`, `# TYPE crowsnest_${name} ${type}`];
	return lines.length === 0 ? '' : [...head, ...lines, ''].join('\n');
}

const escaped = (text: string) =>
	text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

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
	const startedAt = clock.now();
	const measured = new Map(
		accounts.map(({ account, name }) => {
			const state = store.getState().accounts.get(account) ?? emptyAccount;
			return [account, measuredFrom(name, state)];
		}),
	);
	let problem: string | undefined;
	let written = { text: '', at: Number.NEGATIVE_INFINITY };
	let cancelTimer = () => {};

	const stopCounting = store.onFact(({ account }, _, after) => {
		const counted = measured.get(account);
		const state = after.accounts.get(account);
		if (counted && state) countNews(counted, state, startedAt);
	});

	function write() {
		cancelTimer = clock.after(betweenLooksMs, write);
		const text = Object.entries(metrics)
			.map(([name, metric]) => metricText(name, metric, [...measured.values()], clock.now()))
			.join('');
		const at = clock.monotonic();
		if (text === written.text && at - written.at < longestBetweenWritesMs) return;
		written = { text, at };
		const before = problem;
		problem = problemOfWriting(path, text);
		if (problem !== undefined && before === undefined) onProblem(problem);
	}

	write();
	return () => {
		stopCounting();
		cancelTimer();
		write();
		cancelTimer();
	};
}

// Two reports of one refusal may differ by less than this.
const sameRefusalMs = 1_000;

function countNews(account: Measured, now: AccountState, since: number) {
	const { state: before, refusals, outcomes } = account;
	account.state = now;
	for (const scope of scopes) {
		const frozenUntil = ({ standings }: AccountState) => standings?.[scope].frozenUntil ?? 0;
		if (frozenUntil(now) - frozenUntil(before) > sameRefusalMs) refusals[scope] += 1;
	}
	for (const change of changesBetween(before, now)) {
		if (change.type !== 'operationMoved' || change.to === 'sent' || change.at < since) continue;
		outcomes[change.to === 'settled' ? 'done' : change.to] += 1;
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
