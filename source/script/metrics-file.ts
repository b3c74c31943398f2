import { replaceFile } from '../accounts/private-file.ts';
import { isVersionNotRead } from '../fleet/computers/computer.ts';
import { runwayOf } from '../fleet/computers/runway.ts';
import type { Clock } from '../foundation/clock.ts';
import { fileErrorText } from '../foundation/error.ts';
import { scopes } from '../limits/limits.ts';
import { changesBetween } from '../store/change-log.ts';
import { outageOf } from '../store/freshness.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import { phaseStyles } from '../views/fleet/status.ts';

type Counts = Readonly<Record<string, number>>;

const noNews = () => ({
	refusals: { create: 0, status: 0, other: 0 },
	outcomes: { done: 0, failed: 0, unknown: 0, cancelled: 0 },
});

type News = ReturnType<typeof noNews>;

type Metric = {
	help: string;
	label?: string;
	/** By the value of the label if it has one. What is not known has none. */
	of(account: AccountState, now: number, news: News): number | null | undefined | Counts;
};

/** Dashboards use the names, so they never change. One that ends with `_total` is a counter. */
export const metrics: Readonly<Record<string, Metric>> = {
	account_up: {
		help: 'Whether the account answers (1) or not (0).',
		of(account, now) {
			const { answer, failing } = account.reads.list ?? {};
			return answer || failing ? Number(!outageOf(account, now)) : undefined;
		},
	},
	list_read_timestamp_seconds: {
		help: 'Time of the last answer with all computers; time() minus this is the age of the counts.',
		of: ({ contact }) => contact?.fleetAt && contact.fleetAt / 1_000,
	},
	computers: {
		help: 'Computers by phase; several statuses of the platform may belong to one phase.',
		label: 'phase',
		of: account => (account.contact ? phaseCounts(account) : undefined),
	},
	computers_by_version: {
		help: 'Computers by the version of their image, without archived computers; (not read) until it is read.',
		label: 'version',
		of: versionCounts,
	},
	budget_limit_requests: {
		help: 'Requests that a rate limit of the platform allows.',
		label: 'scope',
		of: account => ofEachScope(account, 'limit'),
	},
	budget_used_requests: {
		help: 'Requests that count against a rate limit now, from crowsnest and from other clients.',
		label: 'scope',
		of: account => ofEachScope(account, 'spent'),
	},
	budget_refusals_total: {
		help: 'How often the platform refused requests because of a rate limit, since this command started.',
		label: 'scope',
		of: (_account, _now, { refusals }) => refusals,
	},
	credits: { help: 'Credits that are left.', of: ({ credits }) => credits?.balance },
	credits_burned_per_second: {
		help: 'Credits that were spent per second in the last hours.',
		of(account) {
			const runway = runwayOf(account);
			return runway && runway.burnPerHour / 3_600;
		},
	},
	credits_runway_seconds: {
		help: 'Time until the credits run out at this rate; +Inf if none are spent.',
		of(account) {
			const runway = runwayOf(account);
			return runway && (runway.timeLeftMs ?? Number.POSITIVE_INFINITY) / 1_000;
		},
	},
	operations_total: {
		help: 'Operations on this host by outcome, since this command started.',
		label: 'outcome',
		of: (_account, _now, { outcomes }) => outcomes,
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

// Two reports of one refusal may differ by less than this.
const sameRefusalMs = 1_000;

function countNews(news: News, before: AccountState, now: AccountState, since: number) {
	for (const scope of scopes) {
		const frozenUntil = ({ standings }: AccountState) => standings?.[scope].frozenUntil ?? 0;
		if (frozenUntil(now) - frozenUntil(before) > sameRefusalMs) news.refusals[scope] += 1;
	}
	for (const change of changesBetween(before, now)) {
		if (change.type !== 'operationMoved' || change.to === 'sent' || change.at < since) continue;
		news.outcomes[change.to === 'settled' ? 'done' : change.to] += 1;
	}
}

// # HELP crowsnest_computers Computers by phase.
// # TYPE crowsnest_computers gauge
// crowsnest_computers{account="work",phase="active"} 17

function samplesOf(name: string, label: string, account: string, value: ReturnType<Metric['of']>) {
	const numbers = typeof value === 'number' ? { '': value } : (value ?? {});
	return Object.entries(numbers).map(([each, number]) => {
		const own = label && `,${label}="${escaped(each)}"`;
		const text = String(number).replace('Infinity', '+Inf');
		return `crowsnest_${name}{account="${escaped(account)}"${own}} ${text}\n`;
	});
}

const escaped = (text: string) =>
	text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

// Prometheus seldom reads it more often.
const betweenLooksMs = 2_000;
const longestBetweenWritesMs = 60_000;

export function keepMetricsFile(
	path: string,
	clock: Clock,
	store: Store,
	accounts: readonly { account: string; name: string }[],
	onProblem: (reason: string) => void,
): () => void {
	const startedAt = clock.now();
	const measured = new Map(accounts.map(({ account, name }) => [account, { name, ...noNews() }]));
	let problem: string | undefined;
	let written = { text: '', at: Number.NEGATIVE_INFINITY };
	let cancelTimer = () => {};

	const stopCounting = store.onFact(({ account }, before, after) => {
		const news = measured.get(account);
		const [earlier = emptyAccount, now = emptyAccount] = [before, after].map(({ accounts: all }) =>
			all.get(account),
		);
		if (news) countNews(news, earlier, now, startedAt);
	});

	function textNow(): string {
		const known = store.getState().accounts;
		return Object.entries(metrics)
			.map(([name, { help, label = '', of }]) => {
				const samples = [...measured].flatMap(([account, news]) => {
					const value = of(known.get(account) ?? emptyAccount, clock.now(), news);
					return samplesOf(name, label, news.name, value);
				});
				const type = name.endsWith('_total') ? 'counter' : 'gauge';
				const head = `# HELP crowsnest_${name} ${help}\n# TYPE crowsnest_${name} ${type}\n`;
				return samples.length === 0 ? '' : head + samples.join('');
			})
			.join('');
	}

	function write() {
		cancelTimer = clock.after(betweenLooksMs, write);
		const text = textNow();
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

/** node_exporter runs as another user, so everybody may read the file. */
export function problemOfWriting(path: string, text: string): string | undefined {
	try {
		replaceFile(path, text, { mode: 0o644, isDurable: false });
		return undefined;
	} catch (error) {
		return fileErrorText(error);
	}
}
