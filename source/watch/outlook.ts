import type { ReadName } from '../fleet/fact.ts';
import type { Setback } from './setback.ts';

/**
 * What a read of one computer's status is spent for. A round asks about every computer at once, in the
 * place of a list.
 */
export type Stream = 'urgent' | 'attended' | 'rest' | 'round';

/** One thing to ask the platform now. */
export type Read = { name: ReadName; id?: string; stream?: Stream };

/** How asking for one thing went so far. */
export type Tried = {
	/** When it was asked for last. Never is `-Infinity`, here and below. */
	askedAt: number;
	/** When it was answered last, with anything but a failure. */
	answeredAt: number;
	isInFlight: boolean;
	/** Null while it works. */
	setback: Setback | null;
};

export type Watched = {
	id: string;
	/** Since when something is under way with it; null when nothing is. */
	urgentSince: number | null;
	status: Tried;
	detail: Tried;
};

/** What a person looks at. */
export type View = {
	/** The computers on the screen. */
	visible: ReadonlySet<string>;
	/** The computer whose details are open. */
	detail?: string;
	focused: boolean;
};

/** All that the planner knows beside the budgets and the time. */
export type Outlook = View & {
	computers: ReadonlyMap<string, Watched>;
	/** For status and detail, which are asked per computer, only the setback counts here. */
	tried: Readonly<Record<ReadName, Tried>>;
	/** Whether the list tells the status of its computers; null while no list was answered. */
	listTells: boolean | null;
	/** Whether the answer about one computer tells its status too; null while there was none. */
	detailTells: boolean | null;
	/** Whether that answer tells anything that the list and the status do not. */
	detailAdds: boolean | null;
	/** A computer is expected whose id only the list can tell. */
	isListUrgent: boolean;
	/** What the last list took: requests, and milliseconds. */
	listRequests: number;
	listTook: number;
	/** When a read was last spent on each stream. */
	spent: Readonly<Record<Exclude<Stream, 'round'> | 'detail', number>>;
	/** The last look at the whole fleet, be it a list or a round, and the lists since the last round. */
	look: { at: number; lists: number };
	/** What a person asked for and has not been answered. */
	wanted: readonly Read[];
	/** What was told before this is not trusted: the program started then, or the network came back. */
	freshFrom: number;
	/** Nothing works: the network is gone, or the platform does not let us in. */
	outage: Setback | null;
};

/** What may be spent of one scope on reads. */
export type Purse = {
	/** Requests that may go at once. */
	left: number;
	/** Requests a millisecond that the budget bears for good, beside what others spend. */
	rate: number;
	/** When there may be more to spend. */
	nextAt: number;
};

export type Purses = Readonly<Record<'status' | 'other', Purse>>;

/** How asking for that went so far; nothing when it is about a computer that is gone. */
export function triedOf(
	{ tried, computers }: Pick<Outlook, 'tried' | 'computers'>,
	{ name, id }: Read,
): Tried | undefined {
	if (name === 'status' || name === 'detail') return computers.get(id ?? '')?.[name];
	return tried[name];
}
