import { type FactBody, type ReadName, readNames } from '../fleet/fact.ts';
import type { Scope } from '../limits/limits.ts';
import type { Platform } from '../platform/platform.ts';
import type { RequestOptions } from '../platform/transport.ts';
import type { PollingMode } from './polling-mode.ts';

/**
 * Why the status of a computer is read. `urgent`: an operation or a phase change is under way; `attended`: the
 * computer is on screen; `rest`: its turn has come.
 */
export type ReadPurpose = 'urgent' | 'attended' | 'rest';

/** One read to send to the platform. */
export type Read = { name: ReadName; id?: string; purpose?: ReadPurpose };

/** The key of a read; its name, if it is about no single computer. Only one read of a key is in flight at a time. */
export const readKey = ({ name, id }: Read) => (id === undefined ? name : `${name} ${id}`);

/** The fact that a read revealed, and how many requests it took. */
export type ReadResult = { fact: FactBody; requestCount: number };

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
	/** What the answer is about. The table shows the age only of answers about computers. */
	subject: 'computers' | 'account';
	scope: Exclude<Scope, 'create'>;
	/** The interval in each mode, if the limits allow it. */
	intervalMs: Readonly<Record<PollingMode, number>>;
	send: (platform: ReadApi, options: RequestOptions) => Promise<ReadResult>;
};

type ReadRowPerComputer = Omit<ReadRow, 'send'> & {
	send: (platform: ReadApi, options: RequestOptions, id: string) => Promise<ReadResult>;
};

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const neverMs = Number.POSITIVE_INFINITY;

/** The one table of all reads. `plan.ts` divides the limits among them. */
export const readTable = {
	/**
	 * The list is the cheapest read per computer. The intervals are short enough that even unattended panes show
	 * nothing older than ten seconds.
	 */
	list: {
		subject: 'computers',
		scope: 'other',
		intervalMs: { moving: 2 * secondMs, calm: 5 * secondMs, unattended: 9 * secondMs },
		async send(platform, options) {
			const { requestCount, ...list } = await platform.listComputers(options);
			return { fact: { type: 'listRead', ...list }, requestCount };
		},
	},
	/** The platform recommends this interval for polling. */
	status: {
		subject: 'computers',
		scope: 'status',
		intervalMs: { moving: 3 * secondMs, calm: 3 * secondMs, unattended: minuteMs },
		async send(platform, options, id) {
			const computer = await platform.readStatus(id, options);
			return resultOfOneRequest({ type: 'statusRead', computer });
		},
	},
	/**
	 * The details of a computer are read only while they are open on screen, or if they have fields that neither
	 * the list nor the status has.
	 */
	detail: {
		subject: 'computers',
		scope: 'other',
		intervalMs: { moving: 10 * secondMs, calm: 30 * secondMs, unattended: 5 * minuteMs },
		async send(platform, options, id) {
			const computer = await platform.readComputer(id, options);
			return resultOfOneRequest({ type: 'detailRead', computer });
		},
	},
	credits: {
		subject: 'account',
		scope: 'other',
		intervalMs: { moving: minuteMs, calm: minuteMs, unattended: 5 * minuteMs },
		async send(platform, options) {
			return resultOfOneRequest({ type: 'creditsRead', credits: await platform.credits(options) });
		},
	},
	subscription: {
		subject: 'account',
		scope: 'other',
		intervalMs: { moving: 10 * minuteMs, calm: 10 * minuteMs, unattended: 30 * minuteMs },
		async send(platform, options) {
			const subscription = await platform.subscription(options);
			return resultOfOneRequest({ type: 'subscriptionRead', subscription });
		},
	},
	release: {
		subject: 'account',
		scope: 'other',
		intervalMs: { moving: 30 * minuteMs, calm: 30 * minuteMs, unattended: 60 * minuteMs },
		async send(platform, options) {
			return resultOfOneRequest({
				type: 'releaseRead',
				release: await platform.latestRelease(options),
			});
		},
	},
	/** The models are read only while a person looks at them. */
	models: {
		subject: 'account',
		scope: 'other',
		intervalMs: { moving: neverMs, calm: neverMs, unattended: neverMs },
		async send(platform, options) {
			return resultOfOneRequest({ type: 'modelsRead', models: await platform.models(options) });
		},
	},
} as const satisfies Record<'status' | 'detail', ReadRowPerComputer> &
	Record<Exclude<ReadName, 'status' | 'detail'>, ReadRow>;

/** The reads whose answers are about computers. */
export const fleetReadNames: ReadonlySet<ReadName> = new Set(
	readNames.filter(name => readTable[name].subject === 'computers'),
);

/** The reads about the account itself that depend on the clock, and not on what a person looks at. */
export const accountReadNames = readNames.filter(
	name => !fleetReadNames.has(name) && Number.isFinite(readTable[name].intervalMs.moving),
);

function resultOfOneRequest(fact: FactBody): ReadResult {
	return { fact, requestCount: 1 };
}
