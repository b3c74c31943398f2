/** A message in reply to a key. */
export type Notice = {
	text: string;
	shownAt: number;
	/** Whether the notice stays until the program removes it. */
	isLasting?: boolean;
	/** Whether the notice announces a read, so that it disappears soon after that read has ended. */
	isAboutRead?: boolean;
	/** The key of the operation, or the id of the batch, whose outcome the notice tells. */
	outcomeOf?: string | undefined;
};
