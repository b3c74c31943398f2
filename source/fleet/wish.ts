export type OperationId =
	| 'create'
	| 'start'
	| 'stop'
	| 'restart'
	| 'update'
	| 'delete'
	| 'publish'
	| 'unpublish';

/** One operation on one computer, captured when its question opened. */
export type Wish = {
	/** Its own id: every later fact about it carries the same one. */
	key: string;
	operation: OperationId;
	/** The computer it is for; absent for a create until the platform has answered. */
	computer?: string;
	/** Its name as it stood in the question. */
	name?: string;
	port?: number;
	version?: string;
	/** Operations that were asked for together share one. */
	batch?: string;
};
