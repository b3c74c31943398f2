/** The platform counts requests in three scopes, each with a limit of its own. */
export type Scope = 'create' | 'status' | 'other';

/**
 * A person's operation, and what a command reads for whoever waits for it, goes before the reads of a
 * watch, which nobody waits for.
 */
export type Priority = 'operation' | 'read';

export type Answered = { status: number; headers: Headers };

/** One request's way in. Exactly one of the two is called, once. */
export type Ticket = {
	/** The platform answered: its headers tell what is left of the budget. */
	answered(answer: Answered): void;
	/** No answer came. What was sent may still have been counted by the platform. */
	lost(): void;
};

/** Every request to the platform, repeated ones and further pages too, passes here first. */
export type Gate = {
	/** Waits for its turn; rejects with the signal's reason when called off before. */
	enter(scope: Scope, wish: { priority: Priority; signal: AbortSignal }): Promise<Ticket>;
};
