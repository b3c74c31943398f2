import type { Scope } from './endpoint.ts';

export type SeenRequest = {
	/** The time at which the request arrived. */
	at: number;
	method: string;
	path: string;
	scope: Scope;
	/** The status of the answer; 0 until the answer is sent. */
	status: number;
};

const maxKept = 10_000;

export type RequestLog = {
	readonly requests: readonly SeenRequest[];
	/** Logs a request. Returns a function to call with the status of the answer. */
	note(request: Omit<SeenRequest, 'status'>): (status: number) => void;
	/** Counts an answer that a fault holds back. Returns a function to call when it is sent. */
	holdBack(): () => void;
	readonly heldBack: number;
};

export function createRequestLog(): RequestLog {
	const requests: SeenRequest[] = [];
	const held = new Set<symbol>();
	return {
		requests,
		note(request) {
			const seen = { ...request, status: 0 };
			requests.push(seen);
			if (requests.length > maxKept) requests.shift();
			return status => {
				seen.status = status;
			};
		},
		holdBack() {
			const one = Symbol('held back');
			held.add(one);
			return () => {
				held.delete(one);
			};
		},
		get heldBack() {
			return held.size;
		},
	};
}
