export type Notice = {
	text: string;
	parts?: MessageParts;
	shownAt: number;
	isLasting?: boolean;
	/** It disappears soon after the read that it announces has ended. */
	isAboutRead?: boolean;
	/** The key of the operation, or the id of the batch, whose outcome the notice tells. */
	outcomeOf?: string | undefined;
};

/** A message such as why a key did nothing, in parts for narrow screens. */
export type MessageParts = {
	/** As in "Cannot stop ". It leaves first, because a person knows the key. */
	what?: string;
	/** As in "atlas: already stopped". It is never left out. */
	why: string;
	/** As in ": r restarts it". */
	advice?: string;
	/** What leaves before everything else. */
	hint?: string;
};
