import type { Gate, Scope } from '../source/pace/gate.ts';

/** A gate that lets everything through at once, and remembers what came of it. */
export function createOpenGate(): Gate & { readonly passed: { scope: Scope; status?: number }[] } {
	const passed: { scope: Scope; status?: number }[] = [];
	return {
		passed,
		enter(scope) {
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
