import type { Scope } from './endpoint.ts';

export type SeenRequest = {
	/** When it came in. */
	at: number;
	method: string;
	path: string;
	scope: Scope;
	/** What it was answered; 0 while, or because, there is no answer. */
	status: number;
};

const maxKept = 10_000;

export type RequestLog = {
	readonly requests: readonly SeenRequest[];
	/** What it returns is called with the status of the answer. */
	note(request: Omit<SeenRequest, 'status'>): (status: number) => void;
	/** Counts a request whose answer a fault holds back, until what it returns is called. */
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
