/** Plain values that the platform tells about an account, its plan and what it may use. */

export type Credits = {
	/** What is left in all. */
	balance: number | null;
	daily?: number;
	monthly?: number;
	extra?: number;
	expiring?: number;
	nonExpiring?: number;
	/** False when the platform says that nothing more can run on what is left. */
	canRun?: boolean;
};

export type Subscription = {
	/** `free`, `pro`, `power`, `ultra`, or what the platform wrote, in lower case. */
	plan: string;
	/** As the platform would show it. */
	planName: string;
	status?: string;
	periodEndsAt?: number;
	endsWithPeriod?: boolean;
};

export type Release = {
	version: string;
	channel?: string;
	releasedAt?: number;
	title?: string;
	description?: string;
	changes: readonly { type: string; text: string }[];
};

export type Model = {
	id: string;
	owner?: string;
	contextWindow?: number;
	/** Per million tokens. */
	inputPrice?: number;
	outputPrice?: number;
};
