/** Caches the last result of a function, and returns it as long as all inputs are identical. */
export function memoize<A extends readonly unknown[], R>(
	compute: (...inputs: A) => R,
): (...inputs: A) => R {
	let lastCall: { inputs: A; result: R } | undefined;
	return (...inputs) => {
		if (lastCall && areIdentical(lastCall.inputs, inputs)) return lastCall.result;
		lastCall = { inputs, result: compute(...inputs) };
		return lastCall.result;
	};
}

/** A loop, because a frame looks at dozens of inputs, and most of them are the same. */
function areIdentical(before: readonly unknown[], after: readonly unknown[]): boolean {
	if (before.length !== after.length) return false;
	for (let at = 0; at < after.length; at++) if (!Object.is(before[at], after[at])) return false;
	return true;
}
