import type { FactBody, ReadName } from '../fleet/fact.ts';
import type { Scope } from '../pace/limits.ts';
import type { Platform } from '../platform/platform.ts';
import type { RequestOptions } from '../platform/transport.ts';

/** The fact that a read revealed, and how many requests it took. */
export type ReadResult = { fact: FactBody; requests: number };

/** The calls of the platform that only read. */
export type ReadApi = Pick<
	Platform,
	| 'listComputers'
	| 'readStatus'
	| 'readComputer'
	| 'credits'
	| 'subscription'
	| 'latestRelease'
	| 'models'
>;

type ReadRow = {
	scope: Exclude<Scope, 'create'>;
	/** The shortest interval in milliseconds, used with focus and if the budget sustains it. */
	best: number;
	/** The interval in milliseconds without focus, or where news is unlikely. */
	worst: number;
	ask: (platform: ReadApi, options: RequestOptions) => Promise<ReadResult>;
};

type ReadRowPerComputer = Omit<ReadRow, 'ask'> & {
	ask: (platform: ReadApi, options: RequestOptions, id: string) => Promise<ReadResult>;
};

const second = 1000;
const minute = 60 * second;

/** The one table of all reads. `plan.ts` divides the budgets among them. */
export const reads = {
	/**
	 * The list is the cheapest read per computer. If it has the status, it gets all that other reads leave of
	 * its scope.
	 */
	list: {
		scope: 'other',
		best: 2 * second,
		worst: 15 * second,
		async ask(platform, options) {
			const { requests, ...list } = await platform.listComputers(options);
			return { fact: { type: 'listRead', ...list }, requests };
		},
	},
	/** The shortest interval is the one in the platform's polling guide. */
	status: {
		scope: 'status',
		best: 3 * second,
		worst: minute,
		async ask(platform, options, id) {
			const computer = await platform.readStatus(id, options);
			return oneRequest({ type: 'statusRead', computer });
		},
	},
	/**
	 * The detail is read only while it has fields that neither the list nor the status has, or while it is
	 * open.
	 */
	detail: {
		scope: 'other',
		best: 10 * second,
		worst: 5 * minute,
		async ask(platform, options, id) {
			const computer = await platform.readComputer(id, options);
			return oneRequest({ type: 'detailRead', computer });
		},
	},
	credits: {
		scope: 'other',
		best: minute,
		worst: 5 * minute,
		async ask(platform, options) {
			return oneRequest({ type: 'creditsRead', credits: await platform.credits(options) });
		},
	},
	subscription: {
		scope: 'other',
		best: 10 * minute,
		worst: 30 * minute,
		async ask(platform, options) {
			const subscription = await platform.subscription(options);
			return oneRequest({ type: 'subscriptionRead', subscription });
		},
	},
	release: {
		scope: 'other',
		best: 30 * minute,
		worst: 60 * minute,
		async ask(platform, options) {
			return oneRequest({ type: 'releaseRead', release: await platform.latestRelease(options) });
		},
	},
	/** The models are read only while a person looks at them. */
	models: {
		scope: 'other',
		best: Number.POSITIVE_INFINITY,
		worst: Number.POSITIVE_INFINITY,
		async ask(platform, options) {
			return oneRequest({ type: 'modelsRead', models: await platform.models(options) });
		},
	},
} as const satisfies Record<'status' | 'detail', ReadRowPerComputer> &
	Record<Exclude<ReadName, 'status' | 'detail'>, ReadRow>;

/** The reads about the account itself, which only depend on the clock. */
export const accountReads = ['credits', 'subscription', 'release'] as const;

function oneRequest(fact: FactBody): ReadResult {
	return { fact, requests: 1 };
}
