/** Caches the last result of a function, and returns it as long as all inputs are identical. */
export function memoize<A extends readonly unknown[], R>(
	compute: (...inputs: A) => R,
): (...inputs: A) => R {
	let lastCall: { inputs: A; result: R } | undefined;
	return (...inputs) => {
		const isSame =
			lastCall?.inputs.length === inputs.length &&
			lastCall.inputs.every((input, index) => Object.is(input, inputs[index]));
		if (lastCall && isSame) return lastCall.result;
		lastCall = { inputs, result: compute(...inputs) };
		return lastCall.result;
	};
}
