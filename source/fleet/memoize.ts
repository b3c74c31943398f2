/** Returns the last result again while all inputs are the same. */
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
