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

function areIdentical(before: readonly unknown[], after: readonly unknown[]): boolean {
	if (before.length !== after.length) return false;
	for (let at = 0; at < after.length; at++) if (!Object.is(before[at], after[at])) return false;
	return true;
}
