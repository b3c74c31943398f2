import type { EndpointScope } from './endpoints/endpoint.ts';

export type LoggedRequest = {
	/** The time at which the request arrived, in milliseconds since 1970. */
	arrivedAt: number;
	method: string;
	path: string;
	scope: EndpointScope;
	/** The HTTP status of the answer; 0 until the answer is sent. */
	status: number;
};

const maxRequests = 10_000;

export type RequestLog = {
	readonly requests: readonly LoggedRequest[];
	/** Logs a request. The returned function must be called with the status of the answer. */
	add(request: Omit<LoggedRequest, 'status'>): (status: number) => void;
	/** Counts an answer as held back by a fault until the returned function is called. */
	holdBackAnswer(): () => void;
	readonly heldBackCount: number;
};

export function createRequestLog(): RequestLog {
	const requests: LoggedRequest[] = [];
	const heldAnswers = new Set<symbol>();
	return {
		requests,
		add(request) {
			const loggedRequest = { ...request, status: 0 };
			requests.push(loggedRequest);
			if (requests.length > maxRequests) requests.shift();
			return status => {
				loggedRequest.status = status;
			};
		},
		holdBackAnswer() {
			const answer = Symbol('held back');
			heldAnswers.add(answer);
			return () => {
				heldAnswers.delete(answer);
			};
		},
		get heldBackCount() {
			return heldAnswers.size;
		},
	};
}
