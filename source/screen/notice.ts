/** A message in reply to a key. */
export type Notice = {
	text: string;
	/** The parts of the text, if it refuses the key. */
	refusal?: KeyRefusal;
	/** Shorter forms of the text, from the longest to the shortest, for narrow lines. */
	shorterForms?: readonly string[];
	shownAt: number;
	/** Whether the notice stays until the program removes it. */
	isLasting?: boolean;
	/** Whether the notice announces a read, so that it disappears soon after that read has ended. */
	isAboutRead?: boolean;
	/** The key of the operation, or the id of the batch, whose outcome the notice tells. */
	outcomeOf?: string | undefined;
};

/** Why a key did nothing, in parts, so that a narrow line can leave some of them out. Joined, they are the message. */
export type KeyRefusal = {
	/** What the key cannot do, as in "Cannot stop ". It is left out first, because a person knows the key. */
	what: string;
	/** The reason, as in "atlas: already stopped". It is never left out. */
	why: string;
	/** What to do instead, as in ": r restarts it"; may be empty. */
	advice: string;
};

/** Returns a refusal that even a narrow line shows as a whole. */
export const refusalBecause = (why: string): KeyRefusal => ({ what: '', why, advice: '' });

/** Returns a refusal as a message. */
export const refusalMessage = (refusal: KeyRefusal): Pick<Notice, 'text' | 'refusal'> => ({
	text: `${refusal.what}${refusal.why}${refusal.advice}`,
	refusal,
});
