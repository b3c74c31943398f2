/** Caches the last result of a function, and returns it as long as all inputs are identical. */
export function memoize<A extends readonly unknown[], R>(
	make: (...inputs: A) => R,
): (...inputs: A) => R {
	let last: { inputs: A; result: R } | undefined;
	return (...inputs) => {
		if (last?.inputs.every((input, place) => Object.is(input, inputs[place]))) return last.result;
		last = { inputs, result: make(...inputs) };
		return last.result;
	};
}
