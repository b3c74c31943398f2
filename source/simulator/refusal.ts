import type { Computer } from './computer.ts';

/** Why the platform does not do what it was asked. */
export type Refusal = {
	status: number;
	code: string;
	message: string;
	/** The computer whose state is in the way. */
	computer?: Computer;
	/** Whether paying would put it right. */
	isPayable?: boolean;
};
