import type { RateLimiter, Scope } from '../source/pace/limits.ts';

/** A gate that lets everything through at once, and remembers what came of it. */
export function createOpenGate(): RateLimiter & {
	readonly passed: { scope: Scope; status?: number }[];
} {
	const passed: { scope: Scope; status?: number }[] = [];
	return {
		passed,
		acquire(scope) {
			const pass: { scope: Scope; status?: number } = { scope };
			passed.push(pass);
			return Promise.resolve({
				answered: ({ status }) => {
					pass.status = status;
				},
				lost: () => {},
			});
		},
	};
}
