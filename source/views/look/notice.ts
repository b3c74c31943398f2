/** A message in reply to a key. */
export type Notice = {
	text: string;
	parts?: MessageParts;
	shownAt: number;
	/** Whether the notice stays until the program removes it. */
	isLasting?: boolean;
	/** Whether the notice announces a read, so that it disappears soon after that read has ended. */
	isAboutRead?: boolean;
	/** The key of the operation, or the id of the batch, whose outcome the notice tells. */
	outcomeOf?: string | undefined;
};

/** A message in parts, such as why a key did nothing. Joined, they are the message. */
export type MessageParts = {
	/** What the message is about, as in "Cannot stop ". It leaves first, because a person knows the key. */
	what: string;
	/** The news, as in "atlas: already stopped". It is never left out. */
	why: string;
	/** What to do, as in ": r restarts it"; may be empty. */
	advice: string;
	/** What leaves before everything else. */
	hint?: string;
};

export const refusalBecause = (why: string): MessageParts => ({ what: '', why, advice: '' });

export const messageOf = (parts: MessageParts): Pick<Notice, 'text' | 'parts'> => ({
	text: `${parts.what}${parts.why}${parts.advice}${parts.hint ?? ''}`,
	parts,
});
