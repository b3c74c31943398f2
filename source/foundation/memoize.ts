/** Caches the last result of a function, and returns it as long as all inputs are identical. */
export function memoize<A extends readonly unknown[], R>(
	compute: (...inputs: A) => R,
): (...inputs: A) => R {
	let lastCall: { inputs: A; result: R } | undefined;
	return (...inputs) => {
		if (lastCall?.inputs.every((input, index) => Object.is(input, inputs[index])))
			return lastCall.result;
		lastCall = { inputs, result: compute(...inputs) };
		return lastCall.result;
	};
}
