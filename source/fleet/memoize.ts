/** Remembers its last answer, and gives the same one again while everything it depends on is the same. */
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
