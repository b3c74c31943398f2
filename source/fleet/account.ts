/** The values of an account: its credits, its plan, and the models that it may use. */

export type Credits = {
	/** The number of all credits that are left. */
	balance: number | null;
	daily?: number;
	monthly?: number;
	extra?: number;
	expiring?: number;
	nonExpiring?: number;
	/** False when the platform reports that the remaining credits are too few to run a computer. */
	canRun?: boolean;
};

export type Subscription = {
	/** `free`, `pro`, `power`, `ultra`, or another name from the platform, in lower case. */
	plan: string;
	/** The plan as the platform displays it. */
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
	/** The price of a million input tokens. */
	inputPrice?: number;
	/** The price of a million output tokens. */
	outputPrice?: number;
};

/** The fields by which a person can order the table of models, from left to right. */
export const modelFields = [
	'id',
	'owner',
	'contextWindow',
	'inputPrice',
	'outputPrice',
] as const satisfies readonly (keyof Model)[];
