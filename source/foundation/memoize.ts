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

const areIdentical = (before: readonly unknown[], after: readonly unknown[]): boolean =>
	before.length === after.length && after.every((input, at) => Object.is(input, before[at]));
