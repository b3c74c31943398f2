export type State =
	| 'provisioning'
	| 'active'
	| 'stopped'
	| 'error'
	| 'stopping'
	| 'starting'
	| 'restarting'
	| 'updating'
	| 'archived';

export type Port = { port: number; shareToken: string };

/** How its making goes: everything that can be asked about it follows from these and the time. */
export type Provisioning = {
	startedAt: number;
	lasts: number;
	/** Ends there, as a part of the whole, with what went wrong. */
	failure?: { at: number; message: string };
};

export type Computer = {
	/** Counted from the first one: its place in every list and the key of its own chances. */
	readonly number: number;
	readonly id: string;
	readonly name: string;
	readonly createdAt: number;
	readonly location: string;
	/** In use day and night, so that it never falls asleep by itself. */
	isSteady: boolean;
	state: State;
	since: number;
	/** When the state ends by itself: never, when it is Infinity. */
	dueAt: number;
	provisioning: Provisioning;
	startedAt: number | null;
	version: string | null;
	/** The version that an update under way leads to. */
	target: string | null;
	error: string | null;
	stoppedBy: 'idleness' | 'owner' | 'credits' | null;
	/** Somebody works on it until then. */
	busyUntil: number;
	ports: readonly Port[];
	/** How many of its own chances it has used up. */
	drawn: number;
};
